import type { JsonObject, TelemetryMeta } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'

export interface SelectedSource {
  name: string
  options: JsonObject
  /** The user asked for it: a run without it would not be what was wanted. */
  asked: boolean
}

const plain = (name: string): string => name.toLowerCase().replaceAll('_', '-')

/**
 * The sources of a run, of those that its model has options for (one that is switched off has none): those on by default,
 * those that a list option of theirs names (`--gpu-telemetry nvidia-smi`; see `TelemetryMeta.selectedBy`), those without such a
 * list whose option `enabled` is true. Never one whose option `enabled` is false or `disabled` true.
 */
export function selectSources(index: PluginIndex, options: Readonly<Record<string, JsonObject>>): SelectedSource[] {
  const selected: SelectedSource[] = []
  for (const { kind, name, package: owner, meta: declared } of index.contributions) {
    if (kind !== 'telemetry_source') continue
    const meta = declared as unknown as TelemetryMeta
    const own = options[name] ?? options[`${owner}:${name}`]
    if (!own || own['enabled'] === false || own['disabled'] === true) continue
    const list = meta.selectedBy === undefined ? undefined : own[meta.selectedBy]
    const names = new Set([name, `${owner}:${name}`, ...(meta.aliases ?? [])].map(plain))
    const named = Array.isArray(list) && list.some((item) => typeof item === 'string' && names.has(plain(item)))
    const enabled = own['enabled'] === true && meta.selectedBy === undefined
    if (!meta.onByDefault && !enabled && !named) continue
    const ambiguous = index.contributions.some((c) => c.kind === kind && c.name === name && c.package !== owner)
    selected.push({ name: ambiguous ? `${owner}:${name}` : name, options: own, asked: named || (enabled && !meta.onByDefault) || (Array.isArray(list) && list.length > 0 && meta.onByDefault === true) })
  }
  return selected
}
