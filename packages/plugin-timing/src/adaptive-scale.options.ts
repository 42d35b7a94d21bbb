import { z } from 'zod'
import { rateFields } from './request-rate.options.js'
import { scheduleLimits } from './limits.options.js'

export default z.strictObject({
  adaptiveScale: z
    .strictObject({
      controlVariable: z.enum(['concurrency', 'prefill_concurrency', 'request_rate', 'users']).default('concurrency').describe('What is raised step by step'),
      min: z.number().positive().default(1).describe('Value to begin with'),
      max: z.number().positive().optional().describe("Highest value; the phase's own value of the control variable when not given"),
      sustainDuration: z.number().positive().describe('Seconds for which the last good value must hold').meta({ duration: true }),
      assessmentWindow: z.number().positive().default(30).describe('Seconds measured before each decision').meta({ duration: true }),
      minCompletedRequests: z.int().min(1).default(1).describe('Requests that must have completed in a window for a decision'),
      stepPolicy: z
        .enum(['sla_margin', 'fixed_percent_step'])
        .default('sla_margin')
        .describe('Steps of baseStep times up to maxStepMultiplier, by the room below the objectives; or of a share of the value'),
      baseStep: z.number().positive().default(10).describe('Smallest step of sla_margin'),
      maxStepMultiplier: z.int().min(1).default(4).describe('Largest step of sla_margin, in base steps'),
      stepPercent: z.number().positive().default(25).describe('Step of fixed_percent_step, percent of the value'),
    })
    .describe('Raises the load until an objective is missed, then holds the last good value'),
  sla: z
    .array(
      z.strictObject({
        metric: z.string().describe('Tag of a metric, e.g. time_to_first_token'),
        stat: z.string().default('avg').describe('avg, min, max, p50, p90, p95, p99…'),
        op: z.enum(['lt', 'le', 'gt', 'ge']).describe('How the value must stand to the threshold'),
        threshold: z.number().describe('In the unit in which the metric is shown'),
      }),
    )
    .min(1)
    .describe('Objectives that a window must meet'),
  users: z.int().min(1).optional().describe('Users at a time (control variable users: the most)'),
  ...rateFields,
  ...scheduleLimits,
})
