import { z } from 'zod'

const group = 'Search'
const ms = (what: string, flag: string, aliases: string[] = []) => z.number().positive().describe(what).meta({ flag, aliases, group, value: '<ms>' })

// Limits that several recipes share: one flag each.
export const ttftSlaMs = ms('Limit of the time to first token, ms', '--ttft-sla-ms')
export const itlSlaMs = ms('Limit of the time between tokens, ms', '--itl-sla-ms', ['--tpot-sla-ms'])
export const e2eSlaMs = ms('Limit of the request latency, ms', '--e2e-sla-ms')
export const errorRateSla = z.number().gt(0).lt(1).describe('Limit of the share of failed requests, 0 to 1').meta({ flag: '--error-rate-sla', group, value: '<share>' })

/** Bounds of a dimension whose points are equal ratios apart. */
const steps = (name: string, what: string, low: number, high: number, count: number) =>
  ({
    [`${name}Min`]: z.int().min(1).default(low).describe(`Lowest ${what}`).meta({ flag: `--${name}-min`, group, value: '<count>' }),
    [`${name}Max`]: z.int().min(1).default(high).describe(`Highest ${what}`).meta({ flag: `--${name}-max`, group, value: '<count>' }),
    [`${name}Steps`]: z.int().min(2).default(count).describe(`Points from the lowest to the highest ${what}, at equal ratios`).meta({ flag: `--${name}-steps`, group, value: '<count>' }),
  }) as { [key: string]: z.ZodDefault<z.ZodInt> }

export const concurrencySteps = (high: number, count: number) => steps('concurrency', 'concurrency', 1, high, count)
export const concurrencyBounds = () => {
  const { concurrencyMin, concurrencyMax } = concurrencySteps(1000, 8)
  return { concurrencyMin: concurrencyMin!, concurrencyMax: concurrencyMax! }
}
export const islSteps = () => steps('isl', 'input length', 256, 32_768, 8)
export const oslSteps = () => steps('osl', 'output length', 64, 1024, 4)
