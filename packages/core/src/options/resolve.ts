import { statSync } from 'node:fs'
import type { Head, Json, JsonObject } from '../contracts/dataset.js'
import type { Overlay } from '../contracts/orchestration.js'
import type { RunModel } from '../contracts/run.js'
import type { ConfigurationError, Problem } from '../errors.js'
import type { PluginIndex } from '../host/plugin-index.js'
import { readHead } from '../host/source.js'
import { parseArguments, type ParsedArguments } from './arguments.js'
import { Chosen } from './chosen.js'
import { parseConfig, type ConfigFile, type ParsedConfig } from './config-file.js'
import { parseEnvironment } from './environment.js'
import { explicitOptions } from './explicit.js'
import { problemOf, type Given } from './given.js'
import { buildModel } from './model.js'
import { modelParts } from './model-parts.js'
import { isNamed, pointValues, withBenchmark } from './overlay.js'
import { draftPhases, resolvePhase, type ResolvedPhase } from './phases.js'
import { brokenRules } from './rules.js'
import { sweepProblems } from './rules/sweep.js'
import type { RunView } from './run-view.js'
import { misplacedOptions, resolveNames, select } from './selection.js'
import { buildTable, PHASE, type OptionTable } from './table.js'
import { chooseMode } from './timing-selection.js'
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
  /** Comma lists ask for a sweep: they are handed back in `lists`, and not refused. */
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
  /** Comma lists by path below `benchmark`, in the order they were given; the model holds the first value of each. */
  lists: Record<string, readonly Json[]>
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
    if (draft) draft.point.set(value.key, value)
    else problems.push(problemOf(value.name, `names the phase ${value.phase}, which there is not`, `Phases: ${drafts.map((d) => d.name).join(', ')}.`))
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
  const sweepType = chosen.at('^sweep.type')
  const scheduledBy = phases.find((phase) => phase.model.mode === FIXED_SCHEDULE)?.choice.by ?? []
  problems.push(...sweepProblems(allGiven, sweepType?.value as string | undefined, scheduledBy, input.sweeps === true))
  if (sweepType && !allGiven.some((g) => g.sweep)) problems.push(problemOf(sweepType.name, 'has no effect: no option is given several values'))
  for (const phase of phases) notices.push(...(stopCounts(phase) ?? []))

  const parts = modelParts(view, phases, input.interactive === true, problems)
  const model = buildModel(chosen, parts)
  problems.push(...brokenRules(runView(view, phases, model, allGiven)))
  return { problems: distinct(problems), notices, explicit: explicitOptions(allGiven, phases), lists: listsOf(allGiven), model: problems.length === 0 ? model : undefined }
}

async function configValues(input: ResolveInput, asked: { path: string; name: string } | undefined, table: OptionTable): Promise<ParsedConfig> {
  try {
    const loaded = await input.loadConfig?.(asked)
    const file = input.overlay?.benchmark ? withBenchmark(loaded, input.overlay.benchmark) : loaded
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

function listsOf(given: readonly Given[]): Resolved['lists'] {
  return Object.fromEntries(given.filter((g) => g.sweep).map((g) => [g.entry.path.replace(PHASE, 'phases.profiling'), g.sweep!]))
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
  if (!statSync(path, { throwIfNoEntry: false })) return { missing: true, reason: 'it does not exist' }
  try {
    return { head: (await readHead(path)) as Head }
  } catch (error) {
    return { reason: (error as Error).message }
  }
}
const inputFacts = (input: RunView['input'] | undefined): Pick<RunView, 'input'> => (input === undefined ? {} : { input })

const DEFAULT_REQUESTS = 10

/**
 * A profiling phase that says nothing of its end stops after 10 requests, or 2 for each session in flight. A replay ends
 * with its trace, whatever counts were given.
 */
function stopCounts({ draft, model, given }: ResolvedPhase): string[] | undefined {
  if (model.mode === FIXED_SCHEDULE) {
    const counts = ['requests', 'sessions'].flatMap((key) => given(key)?.name ?? [])
    return counts.length === 0 ? undefined : [`${counts.join(' and ')} has no effect: a replay plays every session of the trace once.`]
  }
  if (draft.fromFile || model.requests !== undefined || model.sessions !== undefined || model.durationSeconds !== undefined) return undefined
  const atOnce = Math.max(...['concurrency', 'users'].map((key) => (typeof model.options[key] === 'number' ? model.options[key] : 0)))
  model.requests = Math.max(DEFAULT_REQUESTS, 2 * atOnce)
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
