import type { VerdictReason } from './result.js'

/**
 * Telemetry: what is measured beside the run (GPUs, the server's own metrics, a power meter).
 *
 * A source finds targets and takes samples; that is all a vendor writes. The host runs sources in a thread of their own,
 * ticks every target on its own timer, takes extra samples at the borders of phases, puts a limit on targets that hang,
 * die, lie or flood, stores what came, summarises it per phase, and shows it in the live view, the console and the files.
 */

/** A thing one can point at, when a series measures one: series of the same subject share a table. */
export interface TelemetrySubject {
  /** `gpu` puts it into the GPU files and tables; any other word gets tables of its own. */
  readonly kind: string
  /** Index or name, unique within target and kind, e.g. `0`. */
  readonly id: string
  /** What a person calls it, e.g. `NVIDIA H100 80GB HBM3`. */
  readonly name: string
  /** Further identity. For GPUs: `uuid`, `platform`, `pciBusId`, `device`, `hostname`, `namespace`, `pod`, `mig`. */
  readonly attributes?: Readonly<Record<string, string>>
}

/** What a value means. Keep one object per series and hand it in again with every sample. */
export interface TelemetrySeries {
  /** Key in files, e.g. `nvidia_power_usage`, `vllm:num_requests_running`. */
  readonly name: string
  /** How to summarise it. `info` carries its content in the labels; `unknown` is summarised like a gauge. */
  readonly type: 'gauge' | 'counter' | 'histogram' | 'info' | 'unknown'
  /** Unit of the values as handed in, e.g. `W`, `%`, `seconds`; `''` when not known. */
  readonly unit: string
  readonly description: string
  /** Name, labels and subject together are unique within a target. */
  readonly labels: Readonly<Record<string, string>>
  /** What a person reads in tables; `name` when absent. */
  readonly header?: string
  readonly subject?: TelemetrySubject
  /** Histograms: upper bounds of the buckets, ascending, the last one Infinity. */
  readonly bounds?: readonly number[]
  /**
   * Counters that grow all the time, such as energy: the value at a border is interpolated. Without it a counter counts
   * events, and the value at a border is that of the sample taken there.
   */
  readonly continuous?: boolean
}

/** A value of a gauge, counter, info or unknown series. Values that are not finite are dropped and counted. */
export interface TelemetryNumber {
  readonly series: TelemetrySeries
  readonly value: number
}

/** A state of a histogram. */
export interface TelemetryHistogram {
  readonly series: TelemetrySeries
  /** Cumulative counts, one per bound of the series. */
  readonly buckets: readonly number[] | Float64Array
  readonly sum: number
  readonly count: number
}

/** A value of a series, by its type. */
export type TelemetryValue = TelemetryNumber | TelemetryHistogram

/** What a target showed at one moment. Series that are not in it have no value at that moment. */
export interface TelemetrySample {
  /** When the values held, ns on the run's clock (`context.now()`). */
  readonly ns: number
  /** When they were asked for, ns; absent for targets that speak by themselves. */
  readonly askedNs?: number
  readonly values: readonly TelemetryValue[]
}

interface TelemetryTargetBase {
  /** Unique within the source, for people: a URL without credentials, `localhost nvidia-smi`. */
  readonly name: string
  /** The user named it: its absence is told. Otherwise it was a guess, and absence is normal. */
  readonly asked: boolean
  /** Why it cannot be sampled now; absent when it can. One that was asked for is tried again, at long intervals. */
  readonly absent?: string
  stop?(): Promise<void>
}

/** A target that answers when asked. */
export interface PolledTarget extends TelemetryTargetBase {
  /** Time between samples, ms. The host stretches it when a sample costs more than a small share of a core. */
  readonly intervalMs: number
  /** Limit of one sample, ms; the host's when absent. */
  readonly timeoutMs?: number
  /** Rejects when it cannot be had; the message is shown to people. Must stop when the signal fires. */
  sample(signal: AbortSignal): Promise<TelemetrySample>
}

/** A target that speaks by itself. */
export interface StreamedTarget extends TelemetryTargetBase {
  /** Time between samples that is expected, ms: tells gaps. */
  readonly intervalMs: number
  /**
   * Pushes samples as they come, until the signal fires. When it resolves or rejects before that, or pushes nothing for
   * long, the host starts it again, at growing intervals.
   */
  follow(push: (sample: TelemetrySample) => void, signal: AbortSignal): Promise<void>
}

/** Something that samples come from. */
export type TelemetryTarget = PolledTarget | StreamedTarget

/** The latest value of a series, for live views. */
export interface TelemetryReading {
  readonly target: string
  readonly series: TelemetrySeries
  /** Latest value; mean of the observations since the last reading for histograms (absent when there were none). */
  readonly value?: number
  /** Growth per second since the last reading: counters, and observations of histograms. */
  readonly perSecond?: number
}

/** One line of a live view. */
export interface TelemetryLive {
  readonly label: string
  readonly value: string
}

/** Runs in the telemetry thread. */
export interface TelemetrySource {
  /** Looks for targets; called once. Nothing found is an empty list, not an error. Must stop when the signal fires. */
  discover(signal: AbortSignal): Promise<readonly TelemetryTarget[]>
  /** The lines that matter most, from the latest readings; the host shows the first gauges and rates without it. */
  live?(readings: readonly TelemetryReading[]): readonly TelemetryLive[]
  stop?(): Promise<void>
}

/** What a telemetry source is given. */
export interface TelemetryContext<Options> {
  options: Options
  /** URLs the run sends to. */
  urls: readonly string[]
  /** Headers of the run's requests, credentials included. Only for servers of the run's own URLs. */
  headers: Readonly<Record<string, string>>
  /** `ca` is PEM text. */
  tls: { verify: boolean; ca?: string }
  /** ns since the run's start. */
  now(): number
  /** One line for people. The same line is said once. */
  log(level: 'debug' | 'info' | 'warn', message: string): void
}

/** What a telemetry source declares in its manifest entry (`meta`). */
export interface TelemetryMeta {
  description: string
  /** Heading of its tables, e.g. `GPU Telemetry`. */
  title: string
  /** Sampled without being asked for, unless its option `enabled` is false. */
  onByDefault?: boolean
  /** Further names that select it. */
  aliases?: readonly string[]
  /** Config section of its options; its own name in camel case when absent. Sources that share flags share a section. */
  section?: string
  /**
   * Name of a list option (such as `items` of `--gpu-telemetry`) in which the source's name or an alias selects it.
   * Several sources may declare the same flag.
   */
  selectedBy?: string
  /** An exporter of its own shows it: general telemetry tables leave it out. */
  ownExporter?: boolean
}

/** A stretch of the run. */
export interface TelemetryWindow {
  readonly startNs: number
  readonly endNs: number
  /** Index of the phase whose borders these are: counts of events then come from the samples taken at them. */
  readonly phase?: number
  /** As `phase`, of one border alone: for the first and the last slice of a phase. */
  readonly startsPhase?: number
  readonly endsPhase?: number
}

/** Time-weighted statistics of a gauge, clipped exactly to the window. */
export interface GaugeStatistics {
  readonly avg: number
  readonly min: number
  readonly max: number
  /** Time-weighted, with the n/(n−1) correction; 0 for one sample. */
  readonly std: number
  readonly p1: number
  readonly p5: number
  readonly p10: number
  readonly p25: number
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
  /** Samples inside the window. */
  readonly count: number
  /** Integral over the covered time by trapezoids, value × seconds. */
  readonly integral: number
  /** Share of the window that samples speak for, 0–1. */
  readonly coverage: number
}

/** Growth of a counter over a window. */
export interface CounterStatistics {
  /** Growth over the window, restarts of the counter included. */
  readonly total: number
  /** `total` per second of the window. */
  readonly rate: number
  readonly resets: number
  /** True when samples taken at both borders bound it, or (continuous counters) when both borders lie between samples. */
  readonly exact: boolean
}

/** A quantile of a histogram: interpolated within the bucket that holds it, between limits: the bucket's bounds, or closer ones that follow from the sum. */
export interface BucketQuantile {
  readonly estimate: number
  readonly low: number
  /** Infinity when the last bucket holds it: `estimate` is then the highest finite bound. */
  readonly high: number
}

/** Growth of a histogram over a window. Rates are per second of the window, `sum` and `avg` in the unit of the series. */
export interface HistogramStatistics {
  readonly count: number
  readonly sum: number
  readonly avg: number
  readonly countRate: number
  readonly sumRate: number
  /** Cumulative growth by bound of the series. */
  readonly buckets: readonly number[]
  /** `p1` … `p99`; empty when nothing was observed. */
  readonly quantiles: Readonly<Record<string, BucketQuantile>>
  readonly resets: number
  readonly exact: boolean
}

/** A series over a window. Only what its type has is there. */
export interface SeriesSummary {
  readonly series: TelemetrySeries
  /** Index into `TelemetryResult.targets`. */
  readonly target: number
  readonly gauge?: GaugeStatistics
  readonly counter?: CounterStatistics
  readonly histogram?: HistogramStatistics
}

/** How sampling of a target went. */
export interface TelemetryTargetReport {
  readonly name: string
  readonly asked: boolean
  /** At least one sample came. */
  readonly reached: boolean
  readonly intervalMs: number
  readonly samples: number
  /** Samples whose values differed from the sample before. */
  readonly updates: number
  readonly failures: number
  /** Message of the last failure, or why it was absent. */
  readonly lastError?: string
  /** Times of the first and last sample and of the first and last change, ns; absent without samples. */
  readonly firstNs?: number
  readonly lastNs?: number
  readonly firstUpdateNs?: number
  readonly lastUpdateNs?: number
  readonly meanLatencyMs?: number
  readonly meanUpdateIntervalMs?: number
  readonly medianUpdateIntervalMs?: number
  /** Stretches without samples longer than three intervals. */
  readonly gaps: readonly { startNs: number; endNs: number }[]
  /** Values that were not finite, by series name. */
  readonly dropped: Readonly<Record<string, number>>
}

/** A sample as stored: every value the target showed. */
export interface StoredSample {
  readonly target: number
  readonly ns: number
  readonly askedNs?: number
  /** Set for samples taken at a border. */
  readonly border?: { readonly at: 'start' | 'end'; readonly phase: number }
  /** False when nothing differed from the sample before. */
  readonly changed: boolean
  readonly values: readonly TelemetryValue[]
}

/** What a source saw during a run. Everything comes from the run's directory. */
export interface TelemetryResult {
  /** Name of the contribution. */
  readonly source: string
  readonly title: string
  readonly ownExporter: boolean
  readonly targets: readonly TelemetryTargetReport[]
  readonly series: readonly { readonly series: TelemetrySeries; readonly target: number }[]
  /** Each series (or those of a name) over the windows together; series without a value in them are left out. */
  summarise(windows: readonly TelemetryWindow[], name?: string): readonly SeriesSummary[]
  /** As `summarise`, for each window apart and series by series: what time slices need. */
  each(windows: readonly TelemetryWindow[], name?: string): Iterable<{ readonly series: TelemetrySeries; readonly target: number; readonly summaries: readonly (SeriesSummary | undefined)[] }>
  /** Sampled values of a gauge, counter or unknown series (index into `series`), oldest first. */
  points(series: number): { readonly ns: Float64Array; readonly values: Float64Array }
  samples(): Iterable<StoredSample>
}

/** What a source has to say on whether a run can be trusted. */
export type TelemetryJudge = (result: TelemetryResult, phase: TelemetryWindow) => readonly VerdictReason[]
