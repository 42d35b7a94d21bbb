import { ConfigurationError, type Dimension, type RunModel } from '@aiperf/core'

export const CONCURRENCY = 'phases.profiling.concurrency'
export const ISL = 'datasets.main.prompts.isl'
export const OSL = 'datasets.main.prompts.osl'

/** Whole numbers at equal ratios, each once. */
export function logSteps(low: number, high: number, count: number, flag: string): number[] {
  ordered(low, high, flag)
  const step = (Math.log(high) - Math.log(low)) / (count - 1)
  const values = Array.from({ length: count }, (_, i) => Math.max(1, Math.round(Math.exp(Math.log(low) + i * step))))
  return [...new Set(values)].sort((a, b) => a - b)
}

/** `--isl-min` must lie below `--isl-max`. */
export function ordered(low: number, high: number, name: string): void {
  if (low < high) return
  throw new ConfigurationError([{ flags: [`--${name}-min`, `--${name}-max`], message: `--${name}-min must be below --${name}-max, got ${low} and ${high}.` }])
}

export function concurrencyDimension({ concurrencyMin, concurrencyMax }: { concurrencyMin: number; concurrencyMax: number }): Dimension {
  ordered(concurrencyMin, concurrencyMax, 'concurrency')
  return { path: CONCURRENCY, low: concurrencyMin, high: concurrencyMax, integer: true, log: true }
}

/** What is measured per token needs a stream. */
export function needsStreaming(recipe: string, { endpoint }: RunModel): void {
  if (endpoint.streaming) return
  throw new ConfigurationError([{ flags: ['--search-recipe', '--streaming'], message: `--search-recipe ${recipe} needs --streaming: without a stream nobody sees when the first token came.`, hint: 'Give --streaming too.' }])
}
