import { createHash } from 'node:crypto'
import type { Orchestration } from '@aiperf/core'

const BYTES = 6

/** A seed of its own for a label: 48 bits of SHA-256 of `<base>:variation:<label>`. */
const seedFor = (base: number, label: string): number => createHash('sha256').update(`${base}:variation:${label}`).digest().readUIntBE(0, BYTES)

/** Where a run stands. */
export interface Place {
  /** Of the point, from 0. */
  index: number
  label: string
  trial: number
}

/** Seed of a run of a sweep or of repeated runs: base + index of the point, the same for all its runs unless they vary. */
export function sweepSeed({ baseSeed, sameSeed, repeats }: Orchestration, { index, label, trial }: Place): number | undefined {
  if (baseSeed === undefined) return undefined
  if (repeats.varySeed) return seedFor(baseSeed, `${label}:trial:${trial}`)
  return sameSeed ? baseSeed : baseSeed + index
}

/** Seed of a run of a search, whose points are not numbered beforehand: the base for the first, then one per iteration. */
export function searchSeed({ baseSeed, sameSeed, repeats }: Orchestration, { index, label, trial }: Place): number | undefined {
  if (baseSeed === undefined) return undefined
  if (repeats.varySeed) return seedFor(baseSeed, `${label}:iteration:${index}:trial:${trial}`)
  return sameSeed || index === 0 ? baseSeed : seedFor(baseSeed, `${label}:iteration:${index}`)
}
