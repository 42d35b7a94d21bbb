export { suitesOf, testPlugin, type Conformance, type Suite } from './plugin.js'
export type { Check, Group, Runner } from './checks.js'
export type {
  AccuracyBenchmarkCase, AccuracyGraderCase, Answer, Cases, CommonCase, DatasetLoaderCase, EchoServer, EndpointCase, ExporterCase, SearchPlannerCase, SearchRecipeCase, TelemetryCase, TimingModeCase, TokenizerCase, ToolCase, TransportCase,
} from './cases.js'
export { leftovers } from './leftovers.js'
export { MemoryDir } from './sample/memory-dir.js'
export { emptyRun, failedRun, sampleRun, SAMPLE_METRICS, type SampleRun } from './sample/run.js'
export { sampleRows } from './sample/rows.js'
export { sampleModel } from './sample/model.js'
export { decode, frameOf, framesOf } from './sample/frames.js'
