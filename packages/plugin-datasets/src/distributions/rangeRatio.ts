import { ConfigurationError, type Random } from '@aiperf/core'

export interface RangeRatio {
  input: number
  output: number
}

const FLAG = '--random-range-ratio'

/** Reads `--random-range-ratio`: one number, or `{"input": a, "output": b}` in the style of vllm. */
export function parseRangeRatio(value: number | string | object, style: 'vllm' | 'sglang'): RangeRatio {
  const wrong = (message: string) => new ConfigurationError([{ flags: [FLAG], message: `${FLAG}: ${message}` }])
  let parsed: unknown = value
  if (typeof value === 'string') {
    try {
      parsed = JSON.parse(value)
    } catch {
      throw wrong(`expected a number or {"input": a, "output": b}, got "${value}"`)
    }
  }
  const ratio = typeof parsed === 'number' ? { input: parsed, output: parsed } : (parsed as Partial<RangeRatio> | null)
  if (typeof ratio?.input !== 'number' || typeof ratio.output !== 'number') throw wrong(`expected a number or {"input": a, "output": b}, got ${JSON.stringify(value)}`)
  if (typeof parsed !== 'number' && style === 'sglang') throw wrong('the style sglang takes one number')
  for (const part of [ratio.input, ratio.output])
    if (!(part >= 0 && (style === 'vllm' ? part < 1 : part <= 1))) throw wrong(`expected ${style === 'vllm' ? 'at least 0 and below 1' : 'from 0 to 1'}, got ${part}`)
  return { input: ratio.input, output: ratio.output }
}

/** Whole numbers, both ends included, around a mean (vllm) or below a maximum (sglang). */
export function rangeDraw(mean: number, ratio: number, style: 'vllm' | 'sglang'): (random: Random) => number {
  const low = style === 'vllm' ? Math.floor(mean * (1 - ratio)) : Math.floor(mean * ratio)
  const high = style === 'vllm' ? Math.ceil(mean * (1 + ratio)) : mean
  return (random) => random.integer(Math.max(1, low), Math.max(1, high))
}
