import type { Metric } from '@aiperf/core'
import { createHost, type PluginIndex } from '@aiperf/core/host'
import { loadMetrics } from '../report/metrics.js'
import { loadResult } from '../report/result.js'

/** The values of a metric's requests. */
export interface Sample {
  unit: string
  values: number[]
}

/** Reads the values of single requests from the folders of runs. */
export class SampleReader {
  readonly #host
  #metrics: Promise<Metric[]> | undefined

  constructor(index: PluginIndex) {
    this.#host = createHost(index)
  }

  /** Values of the measured requests that have one, by metric; of these metrics, or of all that files of requests show. */
  async read(directory: string, tags?: readonly string[]): Promise<Map<string, Sample>> {
    const metrics = await (this.#metrics ??= loadMetrics(this.#host, () => {}))
    const { result, close } = await loadResult(directory, this.#host, metrics)
    const wanted = result.metrics.filter((m) => m.kind === 'record' && (tags ? tags.includes(m.tag) : !m.internal && !m.noIndividualRecords))
    const samples = wanted.map((m): [string, Sample] => [m.tag, { unit: result.profiling.metrics.get(m.tag)?.unit ?? m.displayUnit ?? m.unit, values: [] }])
    const measured = new Set(result.phases.filter((p) => p.info.kind === 'profiling').map((p) => p.info.index))
    for await (const { record, value } of result.records()) {
      if (!measured.has(record.phase)) continue
      for (const [tag, { values }] of samples) {
        const found = value(tag)
        if (typeof found === 'number') values.push(found)
        else if (found) for (const one of found) values.push(one)
      }
    }
    close()
    return new Map(samples)
  }
}
