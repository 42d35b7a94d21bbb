import type { CacheBustTarget } from '../cache-bust.js'
import type { Json, JsonObject } from './dataset.js'

/**
 * The one model of a run: the `benchmark` body of a config file with every value resolved. A flag, an AIPERF_*
 * variable and a config key are three names of one path in it. `options` objects hold the options of the selected
 * contributions, validated against their manifests, defaults filled in.
 */
export interface RunModel {
  models: string[]
  modelSelection: 'round_robin' | 'random' | 'weighted'
  endpoint: {
    type: string
    urls: string[]
    urlStrategy: string
    /** `--custom-endpoint`. */
    path?: string
    streaming: boolean
    apiKey?: string
    /** In the order given; later ones win. */
    headers: [name: string, value: string][]
    extraInputs: JsonObject
    useLegacyMaxTokens: boolean
    useServerTokenCount: boolean
    perChunkUsage: boolean
    /** Seconds; 0: none. */
    timeoutSeconds: number
    connectionReuse: 'pooled' | 'never' | 'sticky-user-sessions'
    /** Name of the header that carries the session's id; `X-Correlation-ID`. */
    sessionHeader: string
    /** Further headers that carry the session's id (`X-Session-Affinity` by default). */
    affinityHeaders: string[]
    waitForModel: { timeoutSeconds: number; intervalSeconds: number; mode: 'inference' | 'models' | 'both' }
    /** `--reset-kv-cache`: POST to this path of every server before the first phase. */
    resetKvCache?: { path: string; timeoutSeconds: number }
    /** `--server-profiler`: POST to these paths around every profiling phase. */
    serverProfiler?: { startPath: string; stopPath: string; timeoutSeconds: number }
    tls: { verify: boolean; ca?: string }
    ipFamily: 0 | 4 | 6
    options: JsonObject
  }
  transport: { type: string; options: JsonObject }
  tokenizer: { name?: string; revision: string; trustRemoteCode: boolean; applyChatTemplate: boolean; options: JsonObject }
  dataset: {
    /** Name of the loader; `auto`: found by looking at the file. */
    type: string
    path?: string
    records?: Json[]
    /** Sessions to generate, or to take from a file; absent: as many as the run needs, or all. */
    entries?: number
    sampling: string
    onBadLine: 'fail' | 'skip'
    /** When prompts are made that a loader makes as they are read; absent: `auto`. */
    preparation?: 'auto' | 'before' | 'during'
    /** System message of every conversation, before its own. */
    systemPrompt?: string
    systemPromptFile?: string
    /** Where the marker goes that no prefix cache knows. */
    cacheBust: CacheBustTarget
    options: JsonObject
  }
  /** A benchmark whose problems are asked instead of a dataset. */
  accuracy?: {
    benchmark: string
    options: JsonObject
    /** Empty: all. */
    tasks: string[]
    shots: number
    cot: boolean
    grader: string
    graderOptions: JsonObject
    systemPrompt?: string
    verbose: boolean
  }
  phases: PhaseModel[]
  artifacts: {
    dir: string
    /** True when the user named the directory: it is used as it is. */
    dirGiven: boolean
    prefix?: string
    level: 'summary' | 'records' | 'raw'
    sliceSeconds?: number
    httpTrace: boolean
    showTraceTiming: boolean
    outputsJson: boolean
    /** Options of exporters by exporter name. */
    options: JsonObject
  }
  /** Goodput objectives: tag to threshold in display unit. */
  slos: Record<string, number>
  metrics: { showInternal: boolean; experimental: boolean; options: JsonObject }
  networkLatency: { automatic: boolean; meanMs?: number; intervalSeconds: number }
  telemetry: Record<string, JsonObject>
  ui: { type: string; intervalSeconds: number }
  runtime: { workers?: number; recorders?: number; seed?: number; calibrate: boolean; strict: boolean; verbose: boolean; output: 'text' | 'json' }
}

/** One phase of a run. The first of `requests`, `sessions` and `durationSeconds` that is reached ends it; with none of them the timing mode does. */
export interface PhaseModel {
  name: string
  kind: 'warmup' | 'profiling'
  /** Name of the timing mode. */
  mode: string
  /** Options of the timing mode (rates, concurrency, ramps…). */
  options: JsonObject
  requests?: number
  sessions?: number
  durationSeconds?: number
  /** Seconds after the duration in which requests in flight may finish; `null`: until they do. */
  graceSeconds: number | null
  /** Percent of the requests that the client breaks off, so long after they were sent. */
  cancellation?: { ratePct: number; delaySeconds: number }
  /** Share of failed requests (0–1) that ends the run. */
  failedRequestThreshold?: number
  /** It begins when the phase before has sent its last request, not when the last answer came. */
  seamless: boolean
  /** What becomes of a session when one of its turns fails. */
  onTurnError: 'continue' | 'abort-session'
}
