/**
 * Journal batches in, results out.
 *
 * ```ts
 * const evaluation = await evaluate({ manifest, batches: () => readBatches(dir), metrics, model, telemetry })
 * // → { phases, profiling, warmup?, verdict, metrics, context }: everything of a RunResult but its files
 *
 * const values = createRowValues(evaluation.metrics, evaluation.context, manifest)
 * for await (const batch of readBatches(dir)) {
 *   values.load(batch)                        // computes the batch's columns
 *   for (let row = 0; row < batch.rows; row++) values.value('time_to_first_token', row)   // display unit
 * }
 * ```
 *
 * The evaluation is a pure function: no clock, no files, no process state. One pass over the batches; a second one when
 * time slices were asked for or the run is longer than `EvaluateLimits` keeps exactly.
 */
export type { Calibration, ClientUse, EvaluateInput, EvaluateLimits, Evaluation } from './input.js'
export { batchFromRows, type RowFacts } from './batch-from-rows.js'
export type { KeptBatch } from './kept.js'
export { METRIC_THRESHOLDS, objectiveProblems } from './context.js'
export { DEFAULT_LIMITS, evaluate } from './evaluate.js'
export { Histogram } from './histogram.js'
export { createRowValues, type RowValues } from './row-values.js'
export { THRESHOLDS } from './thresholds.js'
