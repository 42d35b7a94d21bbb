import type { Json, JsonObject } from '../contracts/dataset.js'
import type { TimingMeta } from '../contracts/timing.js'
import type { Problem } from '../errors.js'
import { contributionsOf } from '../host/find.js'
import { didYouMean, either, plain } from '../host/nearest.js'
import type { IndexedContribution, PluginIndex } from '../host/plugin-index.js'
import { Chosen } from './chosen.js'
import type { FilePhase } from './config-file.js'
import { PHASE, phaseKey, type OptionEntry, type OptionTable } from './table.js'

/** A phase while it takes shape. */
export interface PhaseDraft {
  name: string
  kind: 'warmup' | 'profiling'
  /** Values from flags and variables. */
  chosen: Chosen
  /** Values of the config file's phase, by path within the phase. */
  file: FilePhase['values']
  fromFile: boolean
  /** Values of a sweep's point, by path within the phase; they win over all others. */
  point: Map<string, { value: Json; name: string }>
}

export interface ModeChoice {
  mode: IndexedContribution
  /** What made the choice, as the user wrote it; empty: nothing did, it is the default. */
  by: string[]
  /** Options that the phase type of the config file stands for. */
  implied: JsonObject
  /** The choice replaces the type that the config file says. */
  overridesFile: boolean
}

const meta = (mode: IndexedContribution): TimingMeta => mode.meta as unknown as TimingMeta
const owns = (mode: IndexedContribution, entry: OptionEntry): boolean => entry.owners.some((o) => o.contribution === mode)

/** The options whose flags choose a mode; in a warm-up only those that have a flag of their own there. */
export function selectingEntries(table: OptionTable, mode: IndexedContribution, kind: PhaseDraft['kind'] = 'profiling'): OptionEntry[] {
  const keys = meta(mode).selectedBy ?? []
  return table.entries.filter((e) => owns(mode, e) && keys.includes(phaseKey(e)) && e.names.length > 0 && (kind === 'profiling' || e.warmupNames.length > 0))
}

/**
 * Chooses the timing mode of a phase: the flags that select one (lowest precedence number first), else the `type` of the
 * config file, else the keys there, else the mode that selects itself when nothing does.
 */
export function chooseMode(index: PluginIndex, table: OptionTable, draft: PhaseDraft): ModeChoice | Problem {
  const modes = contributionsOf(index, 'timing_mode')
    .filter((mode) => !mode.problem)
    .sort((a, b) => (meta(a).precedence ?? 1000) - (meta(b).precedence ?? 1000))
  for (const mode of modes) {
    const by = selectingEntries(table, mode, draft.kind).flatMap((entry) => {
      const given = draft.chosen.of(entry)
      return given && given.value !== false ? [given.name] : []
    })
    if (by.length > 0) return { mode, by, implied: {}, overridesFile: draft.file.has('type') }
  }
  const fromFile = modeOfFile(modes, table, draft)
  if (fromFile) return fromFile
  const standard = modes.find((mode) => meta(mode).selectedBy?.length === 0)
  if (standard) return { mode: standard, by: [], implied: {}, overridesFile: false }
  return { code: 'E_PLUGIN_UNKNOWN', flags: [], message: 'No installed package offers a timing mode.', hint: 'Install @aiperf/plugin-timing.' }
}

function modeOfFile(modes: readonly IndexedContribution[], table: OptionTable, draft: PhaseDraft): ModeChoice | Problem | undefined {
  const type = draft.file.get('type')
  const keys = [...draft.file].filter(([, { entries }]) => entries.some((e) => e.owners.length > 0)).map(([key]) => key)
  const selects = (mode: IndexedContribution, key: string) => (meta(mode).selectedBy ?? []).some((k) => key === k || key.startsWith(`${k}.`))
  const has = (mode: IndexedContribution, key: string) => table.entries.some((e) => phaseKey(e) === key && e.path.startsWith(PHASE) && owns(mode, e))
  if (type === undefined) {
    const mode = modes.find((m) => keys.some((key) => selects(m, key)) && keys.every((key) => has(m, key)))
    return mode && { mode, by: keys.filter((key) => selects(mode, key)).map((key) => draft.file.get(key)!.name), implied: {}, overridesFile: false }
  }
  const typed = modeOfType(modes, type.value, type.name)
  if (!('mode' in typed)) return typed
  // A block that only config files have, such as adaptiveScale, makes another mode of a phase whatever its type says.
  const isBlock = (mode: IndexedContribution, key: string) => selects(mode, key) && !has(typed.mode, key) && draft.file.get(key)!.entries.every((e) => e.names.length === 0)
  const block = modes.find((m) => keys.some((key) => isBlock(m, key)) && keys.every((key) => has(m, key)))
  const implied = block ? Object.fromEntries(Object.entries(typed.implied).filter(([key]) => has(block, key))) : typed.implied
  return { mode: block ?? typed.mode, by: [type.name], implied, overridesFile: false }
}

function modeOfType(modes: readonly IndexedContribution[], type: Json, name: string): { mode: IndexedContribution; implied: JsonObject } | Problem {
  const wanted = plain(String(type))
  for (const mode of modes) {
    if (plain(mode.name) === wanted) return { mode, implied: {} }
    const implied = Object.entries(meta(mode).types ?? {}).find(([alias]) => plain(alias) === wanted)?.[1]
    if (implied) return { mode, implied }
  }
  const names = modes.flatMap((mode) => [mode.name, ...Object.keys(meta(mode).types ?? {})])
  return { code: 'E_PLUGIN_UNKNOWN', flags: [name], message: `${name} is ${JSON.stringify(type)}, which no timing mode answers to.`, hint: didYouMean(String(type), names) || `Known: ${names.join(', ')}.` }
}

/** Flags of timing modes that the chosen mode does not have: each is a problem that says what would make it apply. */
export function misplacedFlags(table: OptionTable, draft: PhaseDraft, choice: ModeChoice): Problem[] {
  const problems: Problem[] = []
  for (const given of draft.chosen.values()) {
    const { entry } = given
    if (entry.owners.length === 0 || owns(choice.mode, entry)) continue
    const owners = entry.owners.map((o) => o.contribution)
    // `--no-fixed-schedule` says what shall not be: nothing to place.
    if (given.value === false && owners.some((mode) => selectingEntries(table, mode).includes(entry))) continue
    const names = (e: OptionEntry) => (draft.kind === 'warmup' ? e.warmupNames[0]! : e.names[0]!)
    const needed = [...new Set(owners.flatMap((mode) => selectingEntries(table, mode, draft.kind)).filter((e) => e !== entry).map(names))]
    if (choice.by.length > 0)
      problems.push({
        flags: [given.name, ...choice.by],
        message: `${given.name} cannot be combined with ${either(choice.by)}: the timing mode ${choice.mode.name} has no such option.`,
        hint: 'Drop one of them.',
      })
    else
      problems.push({
        flags: [given.name, ...needed],
        message: `${given.name} has no effect in the timing mode ${choice.mode.name}${needed.length > 0 ? `; it needs ${either(needed)}` : ''}.`,
        hint: needed.length > 0 ? `Give ${either(needed)} too, or drop ${given.name}.` : `Drop ${given.name}.`,
      })
  }
  return problems
}
