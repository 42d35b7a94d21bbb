import { statSync } from 'node:fs'
import type { Head, Json, JsonObject } from '../contracts/dataset.js'
import type { Orchestration, Overlay } from '../contracts/orchestration.js'
import type { RunModel } from '../contracts/run.js'
import type { AiperfError, ConfigurationError, Problem } from '../errors.js'
import type { PluginIndex } from '../host/plugin-index.js'
import { readHead } from '../host/source.js'
import { parseArguments, type ParsedArguments } from './arguments.js'
import { Chosen } from './chosen.js'
import { parseConfig, type ConfigFile, type ParsedConfig } from './config-file.js'
import { parseEnvironment } from './environment.js'
import { explicitOptions } from './explicit.js'
import { problemOf, type Given } from './given.js'
import { buildModel } from './model.js'
import { modelParts, type Checkable } from './model-parts.js'
import { isNamed, overlaidVariables, pointValues, withBenchmark, withVariables } from './overlay.js'
import { orchestrationOf } from './orchestration.js'
import { draftPhases, resolvePhase, type ResolvedPhase } from './phases.js'
import { brokenRules } from './rules.js'
import { sweepProblems } from './rules/sweep.js'
import type { RunView } from './run-view.js'
import { misplacedOptions, resolveNames, select, type Selection } from './selection.js'
import { buildTable, PHASE, type OptionTable } from './table.js'
import { chooseMode, type PhaseDraft } from './timing-selection.js'
import { FIXED_SCHEDULE, promoted } from './trace-promotion.js'

export interface ResolveInput {
  index: PluginIndex
  /** Flags, after the command's name. */
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /**
   * Reads the config file: the one that `--config` or AIPERF_CONFIG names (`asked`), else one that is found. Undefined
   * when there is none; throws an `AiperfError` when it cannot be read.
   */
  loadConfig?(asked: { path: string; name: string } | undefined): Promise<ConfigFile | undefined>
  /** One point of a sweep, laid over everything else. */
  overlay?: Overlay
  /** What asks for several runs (comma lists, repeats, searches) is handed back in `orchestration`, and not refused. */
  sweeps?: boolean
  /** A person looks at a terminal: a live dashboard makes sense. */
  interactive?: boolean
  /** Built before from the same index; saves building it again. */
  table?: OptionTable
}

export interface Resolved {
  /** Everything that is wrong, at once. Empty: the run can begin. */
  problems: Problem[]
  /** Things a person should know that keep nothing from running. */
  notices: string[]
  /** What the user set, in the form of a config file's `benchmark` (keys in snake case), secrets left out. */
  explicit: JsonObject
  /** More than one run is asked for: at which points, how often. The model is that of a run with the first value of every list. */
  orchestration?: Orchestration
  /** What may say more of its options, also where there are problems elsewhere: see `checkSelected`. */
  checkable: Checkable[]
  /** Undefined when there are problems. */
  model: RunModel | undefined
}

/**
 * Command line, environment and config file to the model of a run. Command line > environment > config file > defaults.
 * Loads no plugin code; reads the first bytes of the input file and nothing else.
 */
export async function resolveRun(input: ResolveInput): Promise<Resolved> {
  const { index } = input
  const table = input.table ?? buildTable(index)
  const fromFlags = withFlags(parseArguments(input.argv, table), input.overlay?.argv, table)
  const point = pointValues(input.overlay?.values ?? {}, table)
  const fromEnvironment = parseEnvironment(input.env, table)
  const problems = [...fromFlags.problems, ...fromEnvironment.problems]
  const fromFile = await configValues(input, fromFlags.config ?? fromEnvironment.config, table)
  problems.push(...fromFile.problems)
  const notices = [...fromEnvironment.notices]
  problems.push(...point.problems)
  const allGiven = [...fromFile.given, ...fromEnvironment.given, ...fromFlags.given, ...point.given]
  problems.push(...resolveNames(index, allGiven), ...resolveFileNames(index, fromFile.phases))

  const chosen = new Chosen(allGiven.filter((g) => !g.entry.path.startsWith(`${PHASE}.`)))
  const { selection, problems: unselected } = select(index, chosen)
  problems.push(...unselected, ...misplacedOptions(chosen, selection))
  const view = { index, table, chosen, selection, ...inputFacts(await headOf(chosen)) }

  const { drafts, problems: phaseProblems } = draftPhases(allGiven, fromFile.phases)
  problems.push(...phaseProblems)
  for (const value of point.phaseValues) {
    const draft = drafts.find((d, at) => isNamed(value.phase, d, at, drafts))
    if (draft) {
      draft.point.set(value.key, value)
      inheritPoint(drafts, draft, value, table)
    } else problems.push(problemOf(value.name, `names the phase ${value.phase}, which there is not`, `Phases: ${drafts.map((d) => d.name).join(', ')}.`))
  }
  const phases: ResolvedPhase[] = []
  for (const draft of drafts) {
    const resolved = resolvePhase(index, table, draft, (d) => {
      const choice = chooseMode(index, table, d)
      return 'mode' in choice ? (promoted(d, choice, view) ?? choice) : choice
    })
    problems.push(...resolved.problems)
    notices.push(...resolved.notices)
    if (resolved.phase) phases.push(resolved.phase)
  }
  const scheduledBy = phases.find((phase) => phase.model.mode === FIXED_SCHEDULE)?.choice.by ?? []
  problems.push(...sweepProblems(allGiven, chosen.at('^sweep.type')?.value as string | undefined, scheduledBy, input.sweeps === true))
  const orchestration = input.overlay ? undefined : orchestrationOf({ index, table, chosen, given: allGiven, drafts })
  problems.push(...(orchestration?.problems ?? []))
  for (const phase of phases) notices.push(...(stopCounts(phase, input.overlay, selection) ?? []))

  const parts = modelParts(view, phases, input.interactive === true, problems)
  const model = buildModel(chosen, parts)
  notices.push(...withoutStreaming(model, selection))
  problems.push(...brokenRules(runView(view, phases, model, allGiven)))
  return { problems: distinct(problems), notices, explicit: explicitOptions(allGiven, phases), ...(orchestration?.orchestration && input.sweeps ? { orchestration: orchestration.orchestration } : {}), checkable: parts.checkable, model: problems.length === 0 ? model : undefined }
}

/** Streaming is switched off, and said to be, where the endpoint type has no streams. */
function withoutStreaming({ endpoint }: RunModel, selection: Selection): string[] {
  if (!endpoint.streaming || selection.endpoint?.meta['streams'] !== false) return []
  endpoint.streaming = false
  return [`--streaming has no effect: the endpoint type ${endpoint.type} does not stream.`]
}

async function configValues(input: ResolveInput, asked: { path: string; name: string } | undefined, table: OptionTable): Promise<ParsedConfig> {
  try {
    let file = await input.loadConfig?.(asked)
    if (input.overlay?.benchmark) file = withBenchmark(file, input.overlay.benchmark)
    const variables = overlaidVariables(input.overlay ?? {})
    if (file && Object.keys(variables).length > 0) file = withVariables(file, variables)
    return file ? parseConfig(file, table, input.env) : { given: [], phases: undefined, problems: [] }
  } catch (error) {
    const { name, message, hint, problems } = error as Partial<ConfigurationError> & Error
    if (name !== 'AiperfError') throw error
    return { given: [], phases: undefined, problems: [...(problems ?? [{ flags: asked ? [asked.name] : [], message, ...(hint === undefined ? {} : { hint }) }])] }
  }
}

/** Flags of an overlay replace what the command line gave for the same option. */
function withFlags(parsed: ParsedArguments, overlay: readonly string[] | undefined, table: OptionTable): ParsedArguments {
  if (!overlay) return parsed
  const over = parseArguments(overlay, table)
  const kept = parsed.given.filter((g) => !over.given.some((o) => o.entry === g.entry && o.warmup === g.warmup))
  return { ...parsed, given: [...kept, ...over.given], problems: [...parsed.problems, ...over.problems] }
}

function resolveFileNames(index: PluginIndex, phases: ReturnType<typeof parseConfig>['phases']): Problem[] {
  const values = (phases ?? []).flatMap((phase) => [...phase.values.values()])
  return values.flatMap((value) => {
    const entry = value.entries.find((e) => e.schema.contribution && e.path !== `${PHASE}.type`)
    if (!entry) return []
    const given: Given = { entry, warmup: false, value: value.value, source: 'file', name: value.name }
    const problems = resolveNames(index, [given])
    value.value = given.value
    return problems
  })
}

async function headOf(chosen: Chosen): Promise<RunView['input'] | undefined> {
  const path = chosen.at('dataset.path')?.value
  if (typeof path !== 'string') return undefined
  if (!statSync(path, { throwIfNoEntry: false })) return { reason: `${path} does not exist` }
  try {
    return { head: (await readHead(path)) as Head }
  } catch (error) {
    const { name, message, hint } = error as AiperfError
    if (name !== 'AiperfError') return { reason: `${path} cannot be read: ${message}` }
    return { reason: message, ...(hint === undefined ? {} : { hint }) }
  }
}
const inputFacts = (input: RunView['input'] | undefined): Pick<RunView, 'input'> => (input === undefined ? {} : { input })

/**
 * Requests of a phase that says nothing of its end: enough to have been at its load, and in a sweep or search, whose points
 * are to be told apart, enough to have stayed there.
 */
const REQUESTS = { run: { least: 10, perSession: 2 }, point: { least: 30, perSession: 10 } }

/** A warm-up that takes over the load of the profiling phase takes over that of the point. */
function inheritPoint(drafts: readonly PhaseDraft[], profiling: PhaseDraft, { key, value, name }: { key: string; value: Json; name: string }, table: OptionTable): void {
  if (profiling.kind !== 'profiling') return
  const entry = table.entries.find((e) => e.path === `${PHASE}.${key}` && e.owners.length > 0 && e.warmupNames.length > 0)
  if (!entry) return
  for (const draft of drafts) if (draft.kind === 'warmup' && !draft.fromFile && draft.chosen.of(entry)?.warmup !== true && !draft.point.has(key)) draft.point.set(key, { value, name })
}

/**
 * A profiling phase that says nothing of its end stops after a number of requests, or when every problem of an accuracy
 * benchmark was asked. A replay ends with its trace, whatever
 * counts were given.
 */
function stopCounts({ draft, model, given }: ResolvedPhase, point: Overlay | undefined, { benchmark }: Selection): string[] | undefined {
  if (model.mode === FIXED_SCHEDULE) {
    const counts = ['requests', 'sessions'].flatMap((key) => given(key)?.name ?? [])
    return counts.length === 0 ? undefined : [`${counts.join(' and ')} has no effect: a replay plays every session of the trace once.`]
  }
  if (draft.fromFile || (benchmark && draft.kind === 'profiling') || model.requests !== undefined || model.sessions !== undefined || model.durationSeconds !== undefined) return undefined
  const atOnce = Math.max(...['concurrency', 'users'].map((key) => (typeof model.options[key] === 'number' ? model.options[key] : 0)))
  const { least, perSession } = point ? REQUESTS.point : REQUESTS.run
  model.requests = Math.max(point?.leastRequests ?? least, perSession * atOnce)
  return undefined
}

function runView(base: Omit<RunView, 'phases' | 'model' | 'given' | 'flag' | 'name'>, phases: readonly ResolvedPhase[], model: RunModel, all: readonly Given[]): RunView {
  const given = (path: string) => base.chosen.at(path)
  return {
    ...base, phases, model, given,
    flag: (name) => {
      const entry = base.table.byName.get(name)?.entry
      return entry && [...all].reverse().find((g) => g.entry === entry && !g.warmup)
    },
    name: (path) => given(path)?.name ?? base.table.entries.find((e) => e.path === path)?.names[0] ?? path,
  }
}

/** Each problem once; a value that was refused is not reported missing too. */
function distinct(problems: readonly Problem[]): Problem[] {
  const kept = new Map<string, Problem>()
  const refused = new Set<string>()
  for (const problem of problems) {
    const name = problem.flags[0]
    if (name !== undefined && refused.has(name) && problem.message.startsWith(`${name} is missing`)) continue
    if (name !== undefined) refused.add(name)
    kept.set(problem.message, problem)
  }
  return [...kept.values()]
}
