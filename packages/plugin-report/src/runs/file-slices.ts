import type { JsonObject, MetricResult, PlotSlice } from '@aiperf/core'
import { list, number } from './facts.js'

/** The slices of `profile_export_aiperf_timeslices.json`. Time starts with the first one. */
export function slicesOf(document: JsonObject, metricsOf: (slice: JsonObject) => Map<string, MetricResult>): PlotSlice[] {
  const slices = list(document['timeslices'])
  const origin = number(slices[0]?.['start_ns']) ?? 0
  return slices.map((slice) => ({
    startSeconds: ((number(slice['start_ns']) ?? origin) - origin) / 1e9,
    endSeconds: ((number(slice['end_ns']) ?? origin) - origin) / 1e9,
    complete: slice['is_complete'] !== false,
    metrics: metricsOf(slice),
  }))
}
