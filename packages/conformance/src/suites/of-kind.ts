import type { Kind } from '@aiperf/core'
import type { Cases, CommonCase } from '../cases.js'
import type { Group } from '../checks.js'
import type { Subject } from '../subject.js'
import { accuracyBenchmarkSuite, accuracyGraderSuite } from './accuracy.js'
import { arrivalPatternSuite } from './arrival-pattern.js'
import { convergenceCriterionSuite } from './convergence-criterion.js'
import { datasetLoaderSuite } from './dataset-loader.js'
import { datasetSamplerSuite } from './dataset-sampler.js'
import { endpointSuite } from './endpoint.js'
import { exporterSuite } from './exporter.js'
import { metricSuite } from './metric.js'
import { plotSuite } from './plot.js'
import { rampSuite } from './ramp.js'
import { searchPlannerSuite } from './search-planner.js'
import { searchRecipeSuite } from './search-recipe.js'
import { telemetrySourceSuite } from './telemetry-source.js'
import { timingModeSuite } from './timing-mode.js'
import { tokenizerSuite } from './tokenizer.js'
import { toolSuite } from './tool.js'
import { transportSuite } from './transport.js'
import { uiSuite } from './ui.js'
import { urlStrategySuite } from './url-strategy.js'

type Suites = { [K in Kind]: (subject: Subject<K>, given: CaseOf<K>) => Group[] }
type CaseOf<K extends Kind> = NonNullable<Cases[K]> extends Record<string, infer C> ? (C extends readonly unknown[] ? never : C) : CommonCase

/** Fails to compile when a kind has no suite. */
export const SUITES: Suites = {
  endpoint: endpointSuite,
  transport: transportSuite,
  dataset_loader: datasetLoaderSuite,
  dataset_sampler: datasetSamplerSuite,
  tokenizer: tokenizerSuite,
  timing_mode: timingModeSuite,
  arrival_pattern: arrivalPatternSuite,
  ramp: rampSuite,
  metric: metricSuite,
  exporter: exporterSuite,
  telemetry_source: telemetrySourceSuite,
  search_recipe: searchRecipeSuite,
  search_planner: searchPlannerSuite,
  convergence_criterion: convergenceCriterionSuite,
  url_strategy: urlStrategySuite,
  plot: plotSuite,
  tool: toolSuite,
  ui: uiSuite,
  accuracy_benchmark: accuracyBenchmarkSuite,
  accuracy_grader: accuracyGraderSuite,
}
