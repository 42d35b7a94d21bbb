import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject, PhaseInfo, RunResult, TelemetryResult, TelemetryWindow } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import { readTelemetry, selectSources, startTelemetry, type Telemetry } from '@aiperf/engine/telemetry'

const PATIENCE_NS = 20e9
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)))

/** This package as the plugin index shows it. */
export const index: PluginIndex = (() => {
  const { name, version, aiperf } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { name: string; version: string; aiperf: { contributes: Record<string, Record<string, { entry: string; meta: JsonObject }>> } }
  const contributions = Object.entries(aiperf.contributes).flatMap(([kind, entries]) =>
    Object.entries(entries).map(([contribution, { entry, meta }]) => ({ kind: kind as 'telemetry_source', name: contribution, package: name, version, entry: join(PACKAGE, entry), api: 1, meta })),
  )
  return { packages: [], contributions }
})()

export interface Phase {
  results: TelemetryResult[]
  window: TelemetryWindow
  /** Unix time of the window, s. */
  fromUnix: number
  toUnix: number
  said: string[]
}

/** A folder for one test: fake tools, and a journal. */
export class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), 'gpu-'))
  #running: Telemetry[] = []

  /** Puts a program on the PATH that this lab's runs see: a module that finds its `config` beside it. */
  tool(name: string, fake: string, config: object): void {
    writeFileSync(join(this.folder, `${name}.json`), JSON.stringify(config))
    const module = join(PACKAGE, 'test/fakes', fake)
    const script = join(this.folder, name)
    writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${module}" "${script}.json" "$@"\n`)
    chmodSync(script, 0o755)
    writeFileSync(`${script}.cmd`, `@"${process.execPath}" "${module}" "${script}.json" %*\r\n`)
  }

  /** Does something while this lab's tools are on the PATH of this process. */
  async on<T>(work: () => Promise<T>): Promise<T> {
    const path = process.env['PATH']
    process.env['PATH'] = `${this.folder}${delimiter}${path}`
    try {
      return await work()
    } finally {
      process.env['PATH'] = path
    }
  }

  /** Lines of the journal that hold all of the given keys. */
  #lines(key: string): number {
    return readdirSync(this.folder).filter((name) => name.startsWith('telemetry-')).reduce((sum, name) => sum + readFileSync(join(this.folder, name), 'utf8').split(`{"${key}":`).length - 1, 0)
  }

  /**
   * Runs the sources that the options select through one phase: for so long, and until so many samples and failures are in
   * the journal, however busy the machine is.
   */
  async phase(options: JsonObject, until: { ms: number; samples?: number; failures?: number }): Promise<Phase> {
    const defaults = { enabled: true, disabled: false, items: [], intervalSeconds: 0.333, reachabilitySeconds: 10, defaultUrls: [] }
    const all = Object.fromEntries(index.contributions.map(({ name }) => [name, { ...defaults, ...options }]))
    const origin = { originNs: process.hrtime.bigint(), unixNs: BigInt(Date.now()) * 1_000_000n }
    const now = (): number => Number(process.hrtime.bigint() - origin.originNs)
    const said: string[] = []
    const path = process.env['PATH']
    process.env['PATH'] = `${this.folder}${delimiter}${path}`
    const telemetry = startTelemetry({ index, origin, journal: this.folder, sources: selectSources(index, all), urls: [], headers: {}, log: (level, message) => void said.push(`${level}: ${message}`), limits: { discoverMs: 8000, borderMs: 5000 } })
    process.env['PATH'] = path
    this.#running.push(telemetry)
    await telemetry.ready
    await telemetry.border('start', 0)
    const startNs = now()
    const { ms, samples = 0, failures = 0 } = until
    const enough = (): boolean => this.#lines('t') >= samples && this.#lines('failed') >= failures
    do await new Promise((resolve) => setTimeout(resolve, ms))
    while (!enough() && now() - startNs < PATIENCE_NS)
    const endNs = now()
    await telemetry.border('end', 0)
    await telemetry.stop()
    const unix = (ns: number): number => (Number(origin.unixNs) + ns) / 1e9
    return { results: readTelemetry(this.folder), window: { startNs, endNs, phase: 0 }, fromUnix: unix(startNs), toUnix: unix(endNs), said }
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((telemetry) => telemetry.stop()))
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** As much of a run as the exporters of this package look at. */
export function runOf({ results, window }: Phase, phases?: Partial<PhaseInfo>[]): RunResult {
  const info = (part: Partial<PhaseInfo>, i: number) => ({ index: i, name: 'profiling', kind: 'profiling', startNs: window.startNs, endNs: window.endNs, wasCancelled: false, ...part })
  return { telemetry: results, additions: {}, manifest: { phases: (phases ?? [{}]).map(info) }, unixNs: (ns: number) => 1796036061854766081n + BigInt(Math.round(ns)) } as unknown as RunResult
}
