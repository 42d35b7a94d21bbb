import type { TelemetrySeries, TelemetryValue } from '@aiperf/core'
import type { GpuIdentity } from '../gpu/series.js'
import { gpuSeries, gpuSubject } from '../gpu/series.js'
import { cellNumber, cells, chooseFields, IDENTITY_FIELDS, offeredFields, refusedField, type SmiQuantity } from './fields.js'
import { complaint, runTool } from '../gpu/tool.js'

const TOOL = 'nvidia-smi'

/** What is asked of nvidia-smi, and how its lines are read. */
export interface SmiQuery {
  args: string[]
  /** GPUs of this machine. */
  gpus: number
  /** How long the tool took to answer, ms. */
  tookMs: number
  /** The values of a line; undefined when it is none of ours. */
  read(line: string): { index: string; values: TelemetryValue[] } | undefined
}

/** Finds out which GPUs there are and what the driver offers. A text says why there is nothing. */
export async function prepareQuery(signal: AbortSignal, timeoutMs: number): Promise<SmiQuery | string> {
  const help = await runTool(TOOL, ['--help-query-gpu'], signal, timeoutMs)
  if (help.missing) return complaint(TOOL, help)
  const named = offeredFields(help.stdout)
  const refused = new Set<string>()
  const isOffered = (field: string): boolean => !refused.has(field) && (named.size === 0 || named.has(field))
  for (;;) {
    const identity = IDENTITY_FIELDS.filter((field) => field === 'index' || isOffered(field))
    const quantities = chooseFields(isOffered)
    const fields = [...identity, ...quantities.keys()]
    const args = [`--query-gpu=${fields.join(',')}`, '--format=csv,noheader,nounits']
    const asked = performance.now()
    const result = await runTool(TOOL, args, signal, timeoutMs)
    const tookMs = performance.now() - asked
    const refusal = refusedField(`${result.stdout}\n${result.stderr}`)
    if (refusal !== undefined && fields.includes(refusal as (typeof IDENTITY_FIELDS)[number]) && refusal !== 'index') {
      refused.add(refusal)
      continue
    }
    const lines = result.stdout.split('\n').filter((line) => cells(line).length === fields.length)
    if (result.exitCode !== 0 || lines.length === 0) return complaint(TOOL, result)
    return { args, gpus: lines.length, tookMs, read: lineReader(identity, quantities) }
  }
}

function lineReader(identity: readonly string[], quantities: ReadonlyMap<string, SmiQuantity>): SmiQuery['read'] {
  const known = new Map<string, { subject: ReturnType<typeof gpuSubject>; series: Map<string, TelemetrySeries> }>()
  const columns = [...quantities]
  return (line) => {
    const row = cells(line)
    if (row.length !== identity.length + columns.length) return undefined
    const named = Object.fromEntries(identity.map((field, i) => [field, text(row[i]!)]))
    const index = named['index']
    if (index === undefined) return undefined
    const key = named['uuid'] ?? index
    let gpu = known.get(key)
    if (!gpu) known.set(key, (gpu = { subject: gpuSubject(identityOf(index, named)), series: new Map() }))
    const values: TelemetryValue[] = []
    columns.forEach(([field, { metric, scale }], i) => {
      const number = cellNumber(row[identity.length + i])
      if (number === undefined) return
      let series = gpu.series.get(field)
      if (!series) gpu.series.set(field, (series = gpuSeries(gpu.subject, metric)))
      values.push({ series, value: number * scale })
    })
    return { index, values }
  }
}

const identityOf = (index: string, named: Readonly<Record<string, string | undefined>>): GpuIdentity => ({
  index,
  name: named['name'] ?? 'Unknown GPU',
  platform: 'nvidia',
  uuid: named['uuid'],
  pciBusId: named['pci.bus_id'],
  device: `nvidia${index}`,
  // The card's own figures: what its instances do apart is DCGM's to tell.
  ...(named['mig.mode.current'] === 'Enabled' ? { migProfile: '(MIG)' } : {}),
})

const text = (cell: string): string | undefined => (cell === '' || /^\[?(N\/A|Not Supported|Unknown Error|Insufficient Permissions|GPU requires reset)\]?$/i.test(cell) ? undefined : cell)
