import { z } from 'zod'
import { autoscale, measure, names } from './options.js'

/** Options of plots that put one point per run between two axes. */
export const compared = {
  x: measure('Horizontal axis'),
  y: measure('Vertical axis'),
  labels: names('Facts shown beside each point, e.g. concurrency').optional(),
  groups: names('Facts whose values make one line, e.g. model').optional(),
  autoscale,
}

export default z.strictObject(compared)
