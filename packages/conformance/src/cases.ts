import type { Delta, EndpointContext, Framing, Json, JsonObject, OutgoingRequest, RunModel, Target, Turn, Usage } from '@aiperf/core'

/** What every kind takes. */
export interface CommonCase {
  /** Options to create it with; what is not given is as by default. */
  options?: JsonObject
  /** Checks that do not apply here, by the group's or the check's title, with the reason: they are listed as skipped. */
  skip?: Record<string, string>
}

/** A recorded answer of the server, and what it means. */
export interface Answer {
  title: string
  /** `sse`, `ndjson` or `body`. */
  framing: Framing
  /** The body, as the server sends it. */
  body: string | Uint8Array
  /** `text/event-stream`, `application/x-ndjson` or `application/json` by the framing when absent. */
  contentType?: string
  /** Of the HTTP response; 200 when absent. */
  status?: number
  expect: {
    /** All text deltas together; `reasoning` and `tool` likewise (tool: names and arguments). */
    text?: string
    reasoning?: string
    tool?: string
    finish?: string
    usage?: Usage
    /** The protocol's own end came. */
    done?: boolean
    /** Content that is not text, how much of it. */
    data?: number
    /** An error was reported whose message holds this. */
    error?: string
    /** Every delta, in order. */
    deltas?: Delta[]
  }
}

export interface EndpointCase extends CommonCase {
  /** The settings of the run, where they matter. */
  context?: Partial<EndpointContext>
  /** The turn that requests are made of, where one text is not enough (a ranking, an image). */
  turn?: Turn
  /** Answers as recorded from the server: the more, the better. */
  answers?: readonly Answer[]
}

/** A server to test a transport on, which answers every request with its body. */
export interface EchoServer {
  target: Target
  /** Changes to the request, for protocols that need some. */
  request?: Partial<OutgoingRequest>
  close(): Promise<void> | void
}

export interface TransportCase extends CommonCase {
  /** Path of the URLs it is given for the HTTP servers of the suite; `/v1/echo` when absent. */
  path?: string
  /** Needed by transports that do not speak plain `http`. */
  server?(): Promise<EchoServer>
}

export interface DatasetLoaderCase extends CommonCase {
  /** A small file of the format: its path, or name and text. Loaders that generate need none. */
  file?: string | { name: string; text: string }
  /** Records of a config file instead of a file. */
  records?: Json[]
  /** What the file holds. */
  expect?: { sessions?: number; turns?: number; bad?: number }
  fixedSchedule?: boolean
}

export interface TimingModeCase extends CommonCase {
  /** Several settings, each of which is planned; `options` alone when absent. */
  settings?: readonly JsonObject[]
  /** The sessions that are planned for: time stamps (ms) of their turns, undefined where a turn has none. */
  dataset?: readonly (readonly (number | undefined)[])[]
}

export interface TokenizerCase extends CommonCase {
  /** The name it is asked for by; its own when absent. */
  as?: string
}

export interface TelemetryCase extends CommonCase {
  /** Starts what is measured, and says how to reach it. */
  serve?(): Promise<{ options?: JsonObject; urls?: readonly string[]; close(): Promise<void> | void }>
  /** Series that must be there, by name. */
  series?: readonly string[]
}

export interface SearchRecipeCase extends CommonCase {
  /** Comma lists by path that the recipe takes over. */
  lists?: Record<string, Json[]>
  /** Changes to the run that the recipe looks at. */
  model?(model: RunModel): RunModel
}

export interface SearchPlannerCase extends CommonCase {
  /** What is searched; one dimension and one objective when absent. */
  search?: JsonObject
}

export interface ExporterCase extends CommonCase {
  /** Files that must be there after a run with records. */
  files?: readonly string[]
}

export interface ToolCase extends CommonCase {
  /** Exit code that these options lead to; 0 when absent. */
  exit?: number
  /** What stdout must hold. */
  prints?: string
  /** Stdout is JSON. */
  json?: true
}

export interface AccuracyBenchmarkCase extends CommonCase {
  /** Of a benchmark that reads a file: its path, or its rows. */
  file?: string
  records?: Json[]
  /** How many problems there are at least. */
  problems?: number
}

export interface AccuracyGraderCase extends CommonCase {
  answers?: readonly { answer: string; gold: string; passed: boolean }[]
}

/** Cases by kind and name of the contribution. Several for one contribution stand in a list. */
export interface Cases {
  endpoint?: Record<string, EndpointCase | readonly EndpointCase[]>
  transport?: Record<string, TransportCase | readonly TransportCase[]>
  dataset_loader?: Record<string, DatasetLoaderCase | readonly DatasetLoaderCase[]>
  dataset_sampler?: Record<string, CommonCase>
  tokenizer?: Record<string, TokenizerCase | readonly TokenizerCase[]>
  timing_mode?: Record<string, TimingModeCase | readonly TimingModeCase[]>
  arrival_pattern?: Record<string, CommonCase>
  ramp?: Record<string, CommonCase>
  metric?: Record<string, CommonCase>
  exporter?: Record<string, ExporterCase | readonly ExporterCase[]>
  telemetry_source?: Record<string, TelemetryCase | readonly TelemetryCase[]>
  search_recipe?: Record<string, SearchRecipeCase | readonly SearchRecipeCase[]>
  search_planner?: Record<string, SearchPlannerCase | readonly SearchPlannerCase[]>
  convergence_criterion?: Record<string, CommonCase>
  url_strategy?: Record<string, CommonCase>
  plot?: Record<string, CommonCase>
  /** Without a case a tool is only made, not run: what it does is its own. */
  tool?: Record<string, ToolCase | readonly ToolCase[]>
  ui?: Record<string, CommonCase>
  accuracy_benchmark?: Record<string, AccuracyBenchmarkCase | readonly AccuracyBenchmarkCase[]>
  accuracy_grader?: Record<string, AccuracyGraderCase | readonly AccuracyGraderCase[]>
}
