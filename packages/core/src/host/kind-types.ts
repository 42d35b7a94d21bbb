import type { AccuracyBenchmark, AccuracyContext, AccuracyGrader } from '../contracts/accuracy.js'
import type { DatasetContext, DatasetLoader, DatasetSampler } from '../contracts/dataset.js'
import type { PlainContext, UrlStrategy } from '../contracts/define.js'
import type { Endpoint, EndpointContext } from '../contracts/endpoint.js'
import type { Exporter } from '../contracts/exporter.js'
import type { Metric } from '../contracts/metric.js'
import type { Plot } from '../contracts/plot.js'
import type { Random } from '../contracts/random.js'
import type { ConvergenceCriterion, Search, SearchPlanner, SearchRecipe } from '../contracts/search.js'
import type { TelemetryContext, TelemetrySource } from '../contracts/telemetry.js'
import type { ArrivalPattern, Ramp, TimingMode } from '../contracts/timing.js'
import type { Tokenizer } from '../contracts/tokenizer.js'
import type { Tool } from '../contracts/tool.js'
import type { Transport, TransportContext } from '../contracts/transport.js'
import type { Ui, UiContext } from '../contracts/ui.js'
import type { JsonObject } from '../contracts/dataset.js'
import type { Kind } from '../kinds.js'

type Draw = (name: string) => Random

/** Per kind: what a contribution is given when it is created, and what it creates. */
export interface KindTypes {
  endpoint: { context: EndpointContext; thing: Endpoint }
  transport: { context: TransportContext; thing: Transport }
  dataset_loader: { context: DatasetContext<unknown>; thing: DatasetLoader }
  dataset_sampler: { context: { size: number; random: Draw }; thing: DatasetSampler }
  tokenizer: { context: { name: string; options: JsonObject }; thing: Tokenizer }
  timing_mode: { context: undefined; thing: TimingMode<JsonObject> }
  arrival_pattern: { context: undefined; thing: ArrivalPattern }
  ramp: { context: undefined; thing: Ramp }
  metric: { context: undefined; thing: readonly Metric[] }
  exporter: { context: PlainContext<JsonObject>; thing: Exporter }
  telemetry_source: { context: TelemetryContext<JsonObject>; thing: TelemetrySource }
  search_recipe: { context: PlainContext<JsonObject>; thing: SearchRecipe<JsonObject> }
  search_planner: { context: PlainContext<JsonObject> & { search: Search }; thing: SearchPlanner }
  convergence_criterion: { context: PlainContext<JsonObject>; thing: ConvergenceCriterion }
  url_strategy: { context: { urls: number; inFlight(url: number): number; random: Draw; now(): number }; thing: UrlStrategy }
  plot: { context: PlainContext<JsonObject>; thing: Plot }
  tool: { context: PlainContext<JsonObject>; thing: Tool }
  ui: { context: UiContext; thing: Ui }
  accuracy_benchmark: { context: AccuracyContext<JsonObject>; thing: AccuracyBenchmark }
  accuracy_grader: { context: PlainContext<JsonObject>; thing: AccuracyGrader }
}

/** Fails to compile when a kind has no row above. */
export type ContextOf<K extends Kind> = KindTypes[K]['context']
export type ThingOf<K extends Kind> = KindTypes[K]['thing']
