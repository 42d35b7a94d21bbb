import { AiperfError } from '@aiperf/core'
import type { EvaluateInput, Evaluation } from './input.js'

/** Evaluates a run's journal. */
export async function evaluate(_input: EvaluateInput): Promise<Evaluation> {
  throw new AiperfError('E_INTERNAL', 'Not built yet.')
}
