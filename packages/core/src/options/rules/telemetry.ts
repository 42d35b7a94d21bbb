import { statSync } from 'node:fs'
import type { TelemetryMeta } from '../../contracts/telemetry.js'
import { didYouMean, plain } from '../../host/nearest.js'
import { conflict, type Rule } from '../run-view.js'

const FLAG = '--gpu-telemetry'
/** The reference's word for its live view, which shows GPUs anyway. */
const KEYWORDS = new Set(['dashboard'])
const isUrl = (item: string): boolean => /^https?:\/\/\S+$/i.test(item) || /^[^\s/:]+:\d+(\/\S*)?$/.test(item)

/** Asking for telemetry and switching it off. */
const telemetryOff: Rule = (view) =>
  [
    ['--gpu-telemetry', '--no-gpu-telemetry'],
    ['--server-metrics', '--no-server-metrics'],
  ].flatMap(([on, off]) => {
    const asked = view.flag(on!)
    const refused = view.flag(off!)
    return asked && refused?.value === true ? [conflict([asked.name, refused.name], `${asked.name} and ${refused.name} contradict each other.`, 'Give one of them.')] : []
  })

/** What the list names must be there, and be one way of sampling. */
const gpuItems: Rule = (view) => {
  const given = view.flag(FLAG)
  if (!given || !Array.isArray(given.value)) return undefined
  const sources = view.index.contributions.filter(({ kind, meta }) => kind === 'telemetry_source' && meta['section'] === 'gpuTelemetry' && meta['selectedBy'] !== undefined)
  const sourceOf = (word: string): string | undefined => sources.find(({ name, meta }) => [name, ...((meta as unknown as TelemetryMeta).aliases ?? [])].some((known) => plain(known) === plain(word)))?.name
  const words = sources.flatMap(({ name, meta }) => [name, ...((meta as unknown as TelemetryMeta).aliases ?? [])])
  const named = new Set<string>()
  const urls: string[] = []
  const problems = []
  for (const item of given.value.filter((each) => typeof each === 'string')) {
    if (KEYWORDS.has(item.toLowerCase())) continue
    if (/\.csv$/i.test(item)) {
      if (!statSync(item, { throwIfNoEntry: false })?.isFile()) problems.push(conflict([given.name], `${given.name}: the file ${item} does not exist.`, 'Name a CSV file of DCGM fields, e.g. "DCGM_FI_DEV_SM_CLOCK, gauge, SM clock (in MHz)".'))
      continue
    }
    if (isUrl(item)) {
      urls.push(item)
      continue
    }
    const source = sourceOf(item)
    if (source === undefined) problems.push(conflict([given.name], `${given.name}: ${JSON.stringify(item)} is no source of GPU telemetry, no URL of a DCGM exporter and no CSV file of fields.`, didYouMean(item, words) || `Sources: ${words.join(', ')}.`))
    else named.add(source)
  }
  const local = [...named].filter((name) => name !== 'dcgm')
  if (local.length > 1) problems.push(conflict([given.name], `${given.name}: ${local.join(' and ')} are two ways to sample the GPUs of this machine.`, 'Choose one.'))
  if (local.length > 0 && urls.length > 0) problems.push(conflict([given.name], `${given.name}: ${local[0]} samples this machine, ${urls[0]} is a DCGM exporter; a run has one of the two.`, 'Choose one.'))
  return problems
}

export const TELEMETRY_RULES: readonly Rule[] = [telemetryOff, gpuItems]
