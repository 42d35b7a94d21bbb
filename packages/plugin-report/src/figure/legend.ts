import type { JsonObject } from '@aiperf/core'

/** Room for a legend in a picture of the usual width, px. */
export const LEGEND_WIDTH = 860

/** A legend of as many columns as fit beside each other at the usual width. */
export function legendOf(labels: readonly string[]): JsonObject {
  const longest = Math.max(1, ...labels.map((label) => label.length))
  return { columns: Math.max(1, Math.floor(LEGEND_WIDTH / (longest * 6.8 + 44))) }
}
