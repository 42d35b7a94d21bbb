import { AiperfError, type Metric, type MetricContext, type RunManifest } from '@aiperf/core'
import type { FactBatch } from '../journal/batch.js'

/** Values of single records. */
export interface RowValues {
  /** Computes all record metrics (and aggregates' contributions) of a batch; replaces the batch before. */
  load(batch: FactBatch): void
  /** Value of a metric for a row of the loaded batch, in display unit; a list is a fresh array. */
  value(tag: string, row: number): number | Float64Array | undefined
}

export function createRowValues(_metrics: readonly Metric[], _context: MetricContext, _manifest: RunManifest): RowValues {
  throw new AiperfError('E_INTERNAL', 'Not built yet.')
}
