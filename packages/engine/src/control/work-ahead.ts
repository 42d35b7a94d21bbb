import { availableParallelism } from 'node:os'
import type { RunModel } from '@aiperf/core'
import type { Host, PluginIndex } from '@aiperf/core/host'
import { prepareExport, type ExportTools } from '../report/export.js'
import { eachPaced, type Pause } from '../report/paced.js'
import { packageIntegrity } from './integrity.js'
import { usedPackages } from './manifest.js'

/** Metrics and exporters are loaded this long after the start, when the run has settled. */
const PRELOAD_MS = 400
/** Between two of them: each takes a few ms of a core that the workers may need. */
const PRELOAD_PAUSE_MS = 20

/** What is needed after the measurement and can be had during it, so that the files are there soon after the last answer. */
export class WorkAhead {
  readonly #model: RunModel
  readonly #host: Host
  readonly #index: PluginIndex
  readonly #warn: (message: string) => void
  #tools: Promise<ExportTools> | undefined
  #integrities: Promise<(string | undefined)[]> | undefined
  #hurry = false

  constructor(model: RunModel, host: Host, index: PluginIndex, warn: (message: string) => void) {
    this.#model = model
    this.#host = host
    this.#index = index
    this.#warn = warn
  }

  /** Begins a little later, step by step. On a single core nothing is done beside the measurement. Returns what calls it off. */
  begin(): () => void {
    if (availableParallelism() === 1) return () => {}
    const timer = setTimeout(() => {
      void this.tools()
        .then(() => this.integrities())
        .catch(() => {})
    }, PRELOAD_MS)
    return () => clearTimeout(timer)
  }

  /** Nothing is measured any more: no step waits. */
  hurry(): void {
    this.#hurry = true
  }

  tools(): Promise<ExportTools> {
    return (this.#tools ??= prepareExport(this.#model, { index: this.#index, warn: this.#warn }, this.#pause))
  }

  /** Integrity of every package in use, in their order. */
  integrities(): Promise<(string | undefined)[]> {
    return (this.#integrities ??= eachPaced(usedPackages(this.#host), this.#pause, (used) => packageIntegrity(used, this.#index)))
  }

  /** What steps wait for; undefined once nothing is being measured. */
  get #pause(): Pause | undefined {
    if (this.#hurry) return undefined
    return async () => {
      if (!this.#hurry) await new Promise((resolve) => setTimeout(resolve, PRELOAD_PAUSE_MS))
    }
  }
}
