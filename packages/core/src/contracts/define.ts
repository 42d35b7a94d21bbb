import type { AccuracyBenchmark, AccuracyContext, AccuracyGrader } from './accuracy.js'
import type { DatasetContext, DatasetLoader, DatasetSampler } from './dataset.js'
import type { Endpoint, EndpointContext } from './endpoint.js'
import type { Adds, Exporter } from './exporter.js'
import type { Metric } from './metric.js'
import type { Plot } from './plot.js'
import type { Random } from './random.js'
import type { ConvergenceCriterion, SearchPlanner, SearchRecipe, Search } from './search.js'
import type { TelemetryContext, TelemetryJudge, TelemetrySource } from './telemetry.js'
import type { ArrivalPattern, Ramp, TimingMode } from './timing.js'
import type { Tokenizer } from './tokenizer.js'
import type { Tool } from './tool.js'
import type { Transport, TransportContext } from './transport.js'
import type { Ui, UiContext } from './ui.js'
import { API_VERSION, type Kind } from '../kinds.js'

/**
 * Options of a contribution: a zod object. Each field may carry `.meta({ flag, aliases, group, env, help… })`; see
 * `OptionMeta`. Options may stand in a module of their own (manifest key `options`), so that running code loads no zod.
 */
export interface OptionsSchema<Options> {
  readonly _zod: { readonly output: Options }
}
type OptionsOf<S> = S extends OptionsSchema<infer O> ? O : Record<string, never>

/** What every contribution's module exports by default. Plain data: no classes, no `instanceof` across packages. */
export interface Contribution<K extends Kind = Kind, Context = never, Thing = unknown> {
  readonly kind: K
  /** Version of the contracts that it was written for; another than the program's is the error `E_PLUGIN_API`. */
  readonly api: number
  readonly options?: OptionsSchema<unknown>
  /** Makes the running thing. A throw ends the run before it sends a request; `AiperfError` and `ConfigurationError` are shown as they are. */
  create(context: Context): Thing | Promise<Thing>
}

function define<K extends Kind, C, T>(kind: K, definition: { options?: OptionsSchema<unknown>; create(context: C): T | Promise<T> }): Contribution<K, C, T> {
  return { kind, api: API_VERSION, ...definition }
}

interface Definition<S, C, T> { options?: S; create(context: C): T | Promise<T> }

/** Context of contributions that need only their options and a random stream. */
export interface PlainContext<Options> { options: Options; random(name: string): Random }

/** Request bodies and the meaning of responses. */
export const defineEndpoint = <S extends OptionsSchema<unknown>>(d: Definition<S, EndpointContext<OptionsOf<S>>, Endpoint>) => define('endpoint', d)
/** Moves bytes; one instance per worker. */
export const defineTransport = <S extends OptionsSchema<unknown>>(d: Definition<S, TransportContext<OptionsOf<S>>, Transport>) => define('transport', d)
/** Turns a file, a public set or nothing into sessions. */
export const defineDatasetLoader = <S extends OptionsSchema<unknown>>(d: Definition<S, DatasetContext<OptionsOf<S>>, DatasetLoader>) => define('dataset_loader', d)
/** Chooses which session of `size` is played next. */
export const defineDatasetSampler = (d: Definition<never, { size: number; random(name: string): Random }, DatasetSampler>) => define('dataset_sampler', d)
/** Text to tokens; `name` is the one that the user gave, since one module may answer to several. */
export const defineTokenizer = <S extends OptionsSchema<unknown>>(d: Definition<S, { name: string; options: OptionsOf<S> }, Tokenizer>) => define('tokenizer', d)
/** Plans when requests go. The mode itself is pure: it is created once and given a context for each phase. */
export const defineTimingMode = <S extends OptionsSchema<unknown>>(d: { options?: S } & TimingMode<OptionsOf<S>>) => {
  const { options, ...mode } = d
  return define('timing_mode', { ...(options ? { options } : {}), create: () => mode as TimingMode<never> })
}
/** The law of the gaps between arrivals. */
export const defineArrivalPattern = (pattern: ArrivalPattern) => define('arrival_pattern', { create: () => pattern })
/** The shape of a rise from one value to another. */
export const defineRamp = (ramp: Ramp) => define('ramp', { create: () => ramp })
/** One module may define one metric or a family of them. */
export const defineMetric = (...metrics: Metric[]) => define('metric', { create: (): readonly Metric[] => metrics })
/** Writes files or the console from a finished run. */
export const defineExporter = <S extends OptionsSchema<unknown>>(d: Definition<S, PlainContext<OptionsOf<S>>, Exporter & Partial<Adds>>) => define('exporter', d)
/** `judge` is pure: it sees a finished run's telemetry only, also offline. */
export const defineTelemetrySource = <S extends OptionsSchema<unknown>>(
  d: Definition<S, TelemetryContext<OptionsOf<S>>, TelemetrySource> & { judge?: TelemetryJudge },
): Contribution<'telemetry_source', TelemetryContext<OptionsOf<S>>, TelemetrySource> & { judge?: TelemetryJudge } => define('telemetry_source', d)
/** Shows a run while it goes on. */
export const defineUi = (d: Definition<never, UiContext, Ui>) => define('ui', d)
/** Says at which points the benchmark is run, or what is searched for. */
export const defineSearchRecipe = <S extends OptionsSchema<unknown>>(d: Definition<S, PlainContext<OptionsOf<S>>, SearchRecipe<OptionsOf<S>>>) => define('search_recipe', d)
/** Problems with known answers. */
export const defineAccuracyBenchmark = <S extends OptionsSchema<unknown>>(d: Definition<S, AccuracyContext<OptionsOf<S>>, AccuracyBenchmark>) => define('accuracy_benchmark', d)
/** Judges answers. */
export const defineAccuracyGrader = <S extends OptionsSchema<unknown>>(d: Definition<S, PlainContext<OptionsOf<S>>, AccuracyGrader>) => define('accuracy_grader', d)
/** Says where to look next; `search` is what is looked for. */
export const defineSearchPlanner = <S extends OptionsSchema<unknown>>(d: Definition<S, PlainContext<OptionsOf<S>> & { search: Search }, SearchPlanner>) => define('search_planner', d)
/** Decides whether repeated runs agree. */
export const defineConvergenceCriterion = <S extends OptionsSchema<unknown>>(d: Definition<S, PlainContext<OptionsOf<S>>, ConvergenceCriterion>) => define('convergence_criterion', d)
/** Draws one run or several. */
export const definePlot = <S extends OptionsSchema<unknown>>(d: Definition<S, PlainContext<OptionsOf<S>>, Plot>) => define('plot', d)
/** A command beside a run. */
export const defineTool = <S extends OptionsSchema<unknown>>(d: Definition<S, PlainContext<OptionsOf<S>>, Tool>) => define('tool', d)
/** Chooses the URL index of a new session. */
export interface UrlStrategy {
  /** Index of the URL (0 … urls−1) on which the n-th new session (from 0) plays, all its turns. */
  choose(session: number): number
  /** Called when a request on that URL ended. */
  ended?(url: number, success: boolean): void
}
/** Spreads sessions over servers: `urls` of them, with so many requests `inFlight` at each; `now()` is ns since the run's start. */
export const defineUrlStrategy = (d: Definition<never, { urls: number; inFlight(url: number): number; random(name: string): Random; now(): number }, UrlStrategy>) => define('url_strategy', d)

/**
 * Extra keys of `.meta()` on an option. They end up in the JSON Schema of the package's `aiperf.manifest.json`, from
 * which flags, help, AIPERF_* variables, config keys and completion are made without loading code.
 */
export interface OptionMeta {
  /** Primary flag, e.g. `--request-rate`; absent: no flag, config file only. */
  flag?: string
  /** Further flags that mean the same. */
  aliases?: string[]
  /** Flag of the same option for the warm-up phase (options of timing modes and phases). */
  warmupFlag?: string
  warmupAliases?: string[]
  /** Further config paths that mean this option (`runtime.ui` for `ui.type`). */
  paths?: string[]
  /** Environment variables besides the one derived from the flag (`AIPERF_REQUEST_RATE`). */
  env?: string[]
  /** Group heading in `--help`. */
  group?: string
  /** Help text: one sentence, with the unit. (`description` of the schema.) */
  description?: string
  /** A comma list on the flag means one value per comma (`list`), or a sweep over them (`sweep`). */
  comma?: 'list' | 'sweep'
  /**
   * How the flag's text is read, where the schema does not say: `pairs` are `key:value` or a JSON object, `headers` are
   * `Name: value` (a list of [name, value]), `numbers` are `tag:number`.
   */
  text?: 'pairs' | 'headers' | 'numbers'
  /** A list flag that takes one word each time it is given, not all that follow. */
  single?: true
  /** Of an object: a bare value given for it is the value of this property (`concurrencyRamp: 30`). */
  shorthand?: string
  /** Seconds; text such as `5m` or `1h30m` is accepted too. */
  duration?: true
  /** Of a tool: the path of something that must exist, told with all other problems before the tool is loaded. */
  input?: 'file' | 'path'
  /** A string given for it is the path of a JSON file, whose content is read as if it stood in the config file. */
  file?: 'json'
  /** The value is the name of a contribution of this kind: checked against the index and completed from it. */
  contribution?: Kind
  /** With `contribution`: only those whose manifest entry (`meta`) holds one of these values. */
  where?: Readonly<Record<string, readonly string[]>>
  /** The value is shown nowhere: not in files, not in messages. */
  secret?: boolean
  /** Accepted, but not listed in help. */
  hidden?: boolean
  /** Placeholder in help: `<ms>`. */
  value?: string
}

