import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Gate, Metric } from '@aiperf/core'
import { allMetrics } from './metrics.js'

interface Reference {
  tag: string
  kind: string
  header: string
  shortHeader?: string
  shortHeaderHidesUnit?: boolean
  unit: string
  displayUnit?: string
  group: string
  order?: number
  fold?: string
  wholePhaseOnly?: boolean
  flags: string[]
}

const reference = JSON.parse(readFileSync(join(import.meta.dirname, 'data/reference-metrics.json'), 'utf8')) as Reference[]
const ours = new Map(allMetrics.map((m) => [m.tag, m]))

const GATES: Record<string, Gate> = {
  STREAMING_ONLY: 'streaming',
  PRODUCES_TOKENS_ONLY: 'tokens',
  TOKENIZES_INPUT_ONLY: 'input-tokens',
  SUPPORTS_AUDIO_ONLY: 'audio',
  SUPPORTS_IMAGE_ONLY: 'image',
  PRODUCES_VIDEO_ONLY: 'produces-video',
  GOODPUT: 'goodput',
  USAGE_DIFF_ONLY: 'usage-diff',
  FIXED_SCHEDULE_ONLY: 'fixed-schedule',
  EXPERIMENTAL: 'experimental',
  DISABLE_ON_ACCURACY: 'not-accuracy',
}
/** Gates we add: for what exists only with telemetry, and curves that would be all zero. */
const OURS: ReadonlySet<Gate> = new Set(['gpu-power', 'network-rtt'])

function group(r: Reference): string {
  if (r.flags.includes('HTTP_TRACE_ONLY')) return 'http'
  if (r.group.startsWith('gpu_power')) return 'power'
  return r.group.replace('_', '-')
}

describe('metrics of the reference', () => {
  it('are all there', () => {
    expect(reference).toHaveLength(139 + 17)
    expect(reference.filter((r) => !ours.has(r.tag)).map((r) => r.tag)).toEqual([])
  })

  it.each(reference.map((r) => [r.tag, r] as const))('%s looks the same', (tag, r) => {
    const m = ours.get(tag)!
    const injected = r.kind === 'injected'
    expect(m.header).toBe(r.header)
    expect(m.displayUnit ?? m.unit).toBe(r.displayUnit ?? r.unit)
    expect(m.group ?? 'default').toBe(group(r))
    expect(m.order).toBe(r.order)
    if (injected) return
    expect(m.shortHeader).toBe(r.shortHeader)
    expect(m.shortHeaderHidesUnit ?? false).toBe(r.shortHeaderHidesUnit ?? false)
    expect(m.unit).toBe(r.unit)
    if (!m.internal) expect(m.wholePhaseOnly ?? false).toBe(r.wholePhaseOnly ?? false)
    expect(m.largerIsBetter ?? false).toBe(r.flags.includes('LARGER_IS_BETTER'))
    expect(m.internal ?? false).toBe(r.flags.includes('INTERNAL'))
    expect(m.kind).toBe(tag.startsWith('network_adjusted_') ? 'record' : r.kind)
    if (m.kind === 'aggregate') expect(m.fold).toBe(r.fold)
    if (m.kind === 'record') {
      expect(m.records ?? 'success').toBe(r.flags.includes('ERROR_ONLY') ? 'error' : 'success')
      expect(m.errorAdjusted ?? false).toBe(r.flags.includes('PERCENTILE_INCLUDES_FAILED_REQUESTS'))
    }
    if (m.kind === 'aggregate') expect(m.individualRecords ?? false).toBe(!r.flags.includes('NO_INDIVIDUAL_RECORDS'))
    const gates = r.flags.flatMap((flag) => GATES[flag] ?? [])
    const known = m.kind === 'derived' && tag.endsWith('goodput_per_watt') ? (m.gates ?? []).filter((g) => g !== 'goodput') : (m.gates ?? [])
    expect(known.filter((g) => !OURS.has(g)).toSorted()).toEqual(gates.toSorted())
  })
})

describe('definitions', () => {
  const all: readonly Metric[] = allMetrics

  it('have tags of their own', () => {
    expect(ours.size).toBe(all.length)
  })

  it('require only what exists', () => {
    for (const m of all)
      for (const tag of [...(m.requires ?? []), ...(m.optional ?? [])]) expect(ours.has(tag), `${m.tag} requires ${tag}`).toBe(true)
    for (const m of all)
      if (m.kind === 'curve') for (const tag of [m.dividedBy, m.whilePositive]) if (tag) expect(ours.get(tag)?.kind).toBe('curve')
  })

  it('say what they are, with a formula or a sentence', () => {
    for (const m of all) expect(m.description.length, m.tag).toBeGreaterThan(15)
  })
})
