import type { Json, JsonObject } from '../contracts/dataset.js'
import type { PhaseModel } from '../contracts/run.js'
import type { Problem } from '../errors.js'
import type { IndexedContribution, PluginIndex } from '../host/plugin-index.js'
import { isJsonObject } from '../json.js'
import { Chosen } from './chosen.js'
import { completeOptions } from './contribution-options.js'
import type { FilePhase } from './config-file.js'
import { coreSchemas } from './core-schemas.js'
import { problemOf, type Given } from './given.js'
import { withDefaults } from './json-schema.js'
import { PHASE, phaseKey, setAt, type OptionEntry, type OptionTable } from './table.js'
import { chooseMode, misplacedFlags, type ModeChoice, type PhaseDraft } from './timing-selection.js'

/** A phase with its mode chosen and everything known that was said of it. */
export interface ResolvedPhase {
  draft: PhaseDraft
  choice: ModeChoice
  model: PhaseModel
  /** What was given for a key of the phase: core's (`duration`) or the mode's (`concurrency`). */
  given(key: string): { value: Json; name: string } | undefined
}

const TRIGGERS = ['requests', 'sessions', 'duration']

/** The phases a run is made of: those of the config file with the flags laid over, or a profiling phase and its warm-up. */
export function draftPhases(given: readonly Given[], filePhases: readonly FilePhase[] | undefined): { drafts: PhaseDraft[]; problems: Problem[] } {
  const problems: Problem[] = []
  const load = given.filter((g) => g.entry.path.startsWith(`${PHASE}.`))
  const profilingFlags = load.filter((g) => !g.warmup)
  const warmupFlags = load.filter((g) => g.warmup)
  const drafts: PhaseDraft[] = (filePhases ?? []).map((phase) => ({ name: phase.name, kind: phase.kind, file: phase.values, fromFile: true, chosen: new Chosen(), point: new Map() }))

  const profiling = drafts.filter((d) => d.kind === 'profiling')
  if (drafts.length === 0) {
    const draft: PhaseDraft = { name: 'profiling', kind: 'profiling', file: new Map(), fromFile: false, chosen: new Chosen(profilingFlags), point: new Map() }
    drafts.push(draft)
    profiling.push(draft)
  } else if (profiling.length === 1) profiling[0]!.chosen = new Chosen(profilingFlags)
  else for (const g of profilingFlags) problems.push(problemOf(g.name, `cannot say which of the ${profiling.length} profiling phases of the config file it is meant for`, 'Change the phase in the config file.'))

  if (warmupFlags.length > 0) {
    const warmup = drafts.find((d) => d.kind === 'warmup')
    if (warmup) warmup.chosen = new Chosen(warmupFlags)
    else if (warmupFlags.some((g) => TRIGGERS.includes(phaseKey(g.entry)))) drafts.unshift(inheritingWarmup(profiling[0], warmupFlags))
    else for (const g of warmupFlags) problems.push(problemOf(g.name, 'has no effect: there is no warm-up', 'Give --warmup-request-count, --warmup-duration or --num-warmup-sessions too.'))
  }
  return { drafts, problems }
}

/** A warm-up takes over the profiling phase's load, where it has a flag of its own for it and that was not given. */
function inheritingWarmup(profiling: PhaseDraft | undefined, flags: readonly Given[]): PhaseDraft {
  const inherited: Given[] = []
  for (const given of profiling?.chosen.values() ?? [])
    if (given.entry.owners.length > 0 && given.entry.warmupNames.length > 0 && given.sweep === undefined && !flags.some((f) => f.entry === given.entry)) inherited.push(given)
  const file: PhaseDraft['file'] = new Map()
  for (const [key, value] of profiling?.file ?? []) if (value.entries.some((e) => e.owners.length > 0 && e.warmupNames.length > 0)) file.set(key, value)
  return { name: 'warmup', kind: 'warmup', chosen: new Chosen([...inherited, ...flags]), file, fromFile: false, point: new Map() }
}

/** Chooses the mode of a phase and works out its options. */
export function resolvePhase(index: PluginIndex, table: OptionTable, draft: PhaseDraft, chooser: (draft: PhaseDraft) => ModeChoice | Problem = (d) => chooseMode(index, table, d)): { phase?: ResolvedPhase; problems: Problem[]; notices: string[] } {
  const choice = chooser(draft)
  if (!('mode' in choice)) return { problems: [choice], notices: [] }
  const { mode } = choice
  const problems = draft.kind === 'warmup' ? misplacedFlags(table, { ...draft, chosen: new Chosen([...draft.chosen.values()].filter((g) => g.warmup)) }, choice) : misplacedFlags(table, draft, choice)
  const notices: string[] = []

  const modeValues = new Map<string, { value: Json; name: string }>()
  const coreValues = new Map<string, { value: Json; name: string }>()
  for (const [key, value] of Object.entries(choice.implied)) modeValues.set(key, { value, name: draft.file.get('type')?.name ?? `the phase type of ${mode.name}` })
  for (const [key, { value, name, entries }] of draft.file) {
    if (key === 'type') continue
    if (entries.some((e) => e.owners.length === 0)) coreValues.set(key, { value, name })
    else if (entries.some((e) => ownedBy(e, mode))) modeValues.set(key, { value, name })
    else if (choice.overridesFile || !draft.fromFile) notices.push(`${name} is left out: ${choice.by.join(' and ')} makes this a ${mode.name} phase.`)
    else problems.push(problemOf(name, `is no option of the timing mode ${mode.name}`, `Drop it, or change the type of the phase (${choice.by.join(', ')}).`))
  }
  for (const given of draft.chosen.values()) {
    const values = given.entry.owners.length === 0 ? coreValues : modeValues
    if (given.entry.owners.length === 0 || ownedBy(given.entry, mode)) values.set(phaseKey(given.entry), { value: given.value, name: given.name })
  }
  for (const [key, value] of draft.point) {
    const entries = table.entries.filter((e) => e.path === `${PHASE}.${key}`)
    if (entries.some((e) => e.owners.length === 0)) coreValues.set(key, value)
    else if (entries.some((e) => ownedBy(e, mode))) modeValues.set(key, value)
    else problems.push(problemOf(value.name, `is no option of the timing mode ${mode.name}`))
  }
  const completed = completeOptions(table, mode, PHASE, modeValues, choice.by[0])
  problems.push(...completed.problems)
  const given = (key: string) => coreValues.get(key) ?? modeValues.get(key)
  return { phase: { draft, choice, given, model: phaseModel(draft, mode, completed.options, coreValues) }, problems, notices }
}

const ownedBy = (entry: OptionEntry, mode: IndexedContribution): boolean => entry.owners.some((o) => o.contribution === mode)

function phaseModel(draft: PhaseDraft, mode: IndexedContribution, options: JsonObject, values: ReadonlyMap<string, { value: Json }>): PhaseModel {
  const given: JsonObject = { name: draft.name }
  for (const [path, { value }] of values) setAt(given, path, value)
  const core = withDefaults(coreSchemas().phase, given) as JsonObject
  const cancellation = isJsonObject(core['cancellation']) && core['cancellation']['rate'] !== undefined ? core['cancellation'] : undefined
  const number = (key: string) => (typeof core[key] === 'number' ? core[key] : undefined)
  const set = <K extends string, V>(key: K, value: V | undefined) => (value === undefined ? {} : ({ [key]: value } as Record<K, V>))
  return {
    name: draft.name,
    kind: draft.kind,
    mode: mode.name,
    options,
    ...set('requests', number('requests')),
    ...set('sessions', number('sessions')),
    ...set('durationSeconds', number('duration')),
    graceSeconds: graceOf(core, draft.kind),
    ...set('cancellation', cancellation && draft.kind === 'profiling' ? { ratePct: Number(cancellation['rate']), delaySeconds: Number(cancellation['delay'] ?? 0) } : undefined),
    ...set('failedRequestThreshold', draft.kind === 'profiling' ? number('failedRequestThreshold') : undefined),
    seamless: core['seamless'] === true,
    onTurnError: core['onTurnError'] === 'abort-session' ? 'abort-session' : 'continue',
  }
}

/** Without a duration there is no deadline; a warm-up waits for every answer unless it is told otherwise. */
function graceOf(core: JsonObject, kind: PhaseDraft['kind']): number | null {
  if (core['duration'] === undefined || core['gracePeriod'] === 'inf') return null
  return typeof core['gracePeriod'] === 'number' ? core['gracePeriod'] : kind === 'warmup' ? null : 30
}
