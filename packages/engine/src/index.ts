export { runBenchmark, type RunContext, type RunOutcome } from './control/run.js'
export { calibrateAndKeep, type CalibrationResult } from './calibrate/calibrate.js'
export { exportRun, type ExportContext, type Exported } from './report/export.js'
export { loadResult, readManifest } from './report/result.js'
