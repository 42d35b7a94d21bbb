import { ConfigurationError, type Random } from '@aiperf/core'
import { tokensOf, weighted, type Draw } from './distribution.js'

/** Input and output lengths that belong together, with the share of requests that have them. */
export interface SequencePair {
  isl: number
  islStddev: number
  osl: number
  oslStddev: number
  percent: number
}

const FLAG = '--seq-dist'
const NUMBER = String.raw`(\d+(?:\.\d+)?)`
/** `ISL|stddev,OSL|stddev:percent`, the deviations optional. */
const PAIR = new RegExp(String.raw`^${NUMBER}(?:\s*\|\s*${NUMBER})?\s*,\s*${NUMBER}(?:\s*\|\s*${NUMBER})?\s*:\s*${NUMBER}$`)
const EXAMPLE = 'expected ISL[|stddev],OSL[|stddev]:percent, several separated by ";", e.g. 128,64:40;512|50,128:60'

/**
 * Reads `--seq-dist`: pairs separated by `;`, or in brackets, or as JSON `{"pairs": [{isl, osl, prob, …}]}`.
 *
 * @throws ConfigurationError listing every pair that cannot be read; or the sum, when it is not 100.
 */
export function parseSequencePairs(value: string | object): SequencePair[] {
  const pairs = typeof value === 'object' ? fromJson(value) : value.trim().startsWith('{') ? fromJson(parse(value)) : fromText(value)
  const problems: string[] = []
  for (const { isl, osl, percent } of pairs) {
    if (!Number.isInteger(isl) || isl < 1) problems.push(`expected an input length of 1 or more whole tokens, got ${isl}`)
    if (!Number.isInteger(osl) || osl < 1) problems.push(`expected an output length of 1 or more whole tokens, got ${osl}`)
    if (!(percent >= 0 && percent <= 100)) problems.push(`expected a percentage from 0 to 100, got ${percent}`)
  }
  const sum = pairs.reduce((total, pair) => total + pair.percent, 0)
  if (problems.length === 0 && Math.abs(sum - 100) > 1e-4) problems.push(`the percentages must sum to 100, they sum to ${Number(sum.toFixed(6))}`)
  if (problems.length > 0) throw wrong(problems)
  return pairs
}

function wrong(problems: string[]): ConfigurationError {
  return new ConfigurationError(problems.map((message) => ({ flags: [FLAG], message: `${FLAG}: ${message}` })))
}

function fromText(text: string): SequencePair[] {
  const bracketed = /^\s*\[(.*)\]\s*$/s.exec(text)
  // "(256,128):60" inside brackets, separated by commas that stand outside the parentheses.
  const parts = bracketed ? bracketed[1]!.split(/,(?=\s*\()/).map((part) => part.replace(/[()]/g, '')) : text.split(';')
  const problems: string[] = []
  const pairs: SequencePair[] = []
  for (const part of parts) {
    if (part.trim() === '' && parts.length > 1) continue
    const found = PAIR.exec(part.trim())
    if (!found) problems.push(`cannot read "${part.trim()}": ${EXAMPLE}`)
    else {
      const [isl, islStddev, osl, oslStddev, percent] = found.slice(1).map((digits) => Number(digits ?? 0)) as [number, number, number, number, number]
      pairs.push({ isl, islStddev, osl, oslStddev, percent })
    }
  }
  if (pairs.length === 0 && problems.length === 0) problems.push(`got nothing: ${EXAMPLE}`)
  if (problems.length > 0) throw wrong(problems)
  return pairs
}

function parse(text: string): object {
  try {
    return JSON.parse(text) as object
  } catch (error) {
    throw wrong([`invalid JSON (${(error as Error).message})`])
  }
}

function fromJson(value: object): SequencePair[] {
  const { pairs } = value as { pairs?: unknown }
  if (!Array.isArray(pairs) || pairs.length === 0) throw wrong(['expected {"pairs": [{"isl", "osl", "prob"}, …]}'])
  return pairs.map((pair: Record<string, unknown>, at) => {
    const read = (key: string, fallback?: number): number => {
      const number = pair[key] ?? fallback
      if (typeof number !== 'number') throw wrong([`pair ${at + 1}: expected a number for "${key}", got ${JSON.stringify(pair[key])}`])
      return number
    }
    return { isl: read('isl'), osl: read('osl'), percent: read('prob'), islStddev: read('isl_stddev', 0), oslStddev: read('osl_stddev', 0) }
  })
}

/** Draws the lengths of one request. */
export function drawPairs(pairs: readonly SequencePair[]): (random: Random) => { isl: number; osl: number } {
  const pick = weighted(pairs.map((pair) => pair.percent))
  const draws: { isl: Draw; osl: Draw }[] = pairs.map((pair) => ({
    isl: tokensOf({ mean: pair.isl, stddev: pair.islStddev }, pair.isl),
    osl: tokensOf({ mean: pair.osl, stddev: pair.oslStddev }, pair.osl),
  }))
  return (random) => {
    const { isl, osl } = draws[pick(random)]!
    return { isl: isl(random), osl: osl(random) }
  }
}
