import type { Delta, Json, JsonObject } from '@aiperf/core'
import { countOf, objectOf } from './json.js'

/**
 * What a server says of a request's speculative decoding (vLLM's `metrics.speculative_decoding`). It counts when exactly
 * one chunk of the response carries it and it does not contradict itself.
 */
export class SpecDecodeReport {
  #reports = 0
  #deltas: Delta[] = []

  read(body: JsonObject): void {
    const report = objectOf(objectOf(body['metrics'])?.['speculative_decoding'])
    if (report === undefined) return
    this.#reports++
    this.#deltas = fields(report)
  }

  end(out: Delta[]): void {
    if (this.#reports === 1) out.push(...this.#deltas)
  }
}

function fields(report: JsonObject): Delta[] {
  const steps = countOf(report['num_spec_steps'])
  const histogram = counts(report['acceptance_histogram'])
  if (steps === undefined || histogram === undefined) return []
  const accepted = countOf(report['num_accepted_draft_tokens']) ?? histogram.reduce((sum, n, j) => sum + n * j, 0)
  const drafted = countOf(report['num_draft_tokens'])
  const longest = countOf(report['num_spec_tokens'])
  if (longest !== undefined && histogram.length !== longest + 1) return []
  if (histogram.reduce((sum, n) => sum + n, 0) !== steps) return []
  if (histogram.reduce((sum, n, j) => sum + n * j, 0) !== accepted) return []
  if (drafted !== undefined && accepted > drafted) return []
  if (!agrees(report['per_step_accepted'], steps, accepted) || !agrees(report['per_step_drafted'], steps, drafted)) return []
  const deltas: Delta[] = []
  const add = (name: string, value: number | readonly number[] | undefined): void => {
    if (value !== undefined) deltas.push({ kind: 'field', name, value })
  }
  add('spec_decode_steps', steps)
  add('spec_decode_accepted_tokens', accepted)
  add('spec_decode_draft_tokens', drafted)
  add('spec_decode_acceptance_histogram', histogram)
  add('spec_decode_acceptance_length', countOf(report['mean_acceptance_length']))
  add('spec_decode_acceptance_rate', countOf(report['draft_acceptance_rate']))
  return deltas
}

/** A list of whole numbers; undefined when it is none. */
function counts(value: Json | undefined): number[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((n) => Number.isInteger(n) && (n as number) >= 0) ? (value as number[]) : undefined
}

/** A list per step, where given, has one entry per step and the stated sum. */
function agrees(value: Json | undefined, steps: number, sum: number | undefined): boolean {
  if (value === undefined || value === null) return true
  const list = Array.isArray(value) && value.length === 0 ? [] : counts(value)
  if (list === undefined || list.length !== steps) return false
  return sum === undefined || list.reduce((a, b) => a + b, 0) === sum
}
