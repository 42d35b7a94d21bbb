import type { RunModel } from '@aiperf/core'
import { cachedCalibration } from '../calibrate/cache.js'
import type { CalibrationResult } from '../calibrate/calibrate.js'
import type { loadResult } from '../report/result.js'
import { checkOpenFiles } from './open-files.js'
import { Run } from './run.js'
import type { MeasureContext, RunContext, RunOutcome } from './run-context.js'

/** Runs a benchmark from its resolved model to its files. */
export async function runBenchmark(model: RunModel, context: RunContext): Promise<RunOutcome> {
  return (await prepareBenchmark(model, context)).run()
}

/** A run whose threads load their code and whose dataset is made, and that sends nothing until it is told to. */
export interface PreparedRun {
  /** Runs it to its files. `measured` is called when only evaluating and writing are left. */
  run(measured?: () => void): Promise<RunOutcome>
  /** Ends it, and leaves nothing of it. */
  discard(): Promise<void>
}

/** Begins a run: what takes time before the first request goes on while another one writes its files. */
export async function prepareBenchmark(model: RunModel, context: RunContext): Promise<PreparedRun> {
  checkOpenFiles(model)
  const calibration = model.runtime.calibrate ? await calibrated(model, context) : undefined
  const run = new Run(model, context, calibration)
  run.start()
  return {
    run: async (measured) => {
      const failure = await run.measure()
      measured?.()
      return run.export(failure, context)
    },
    discard: () => run.discard(),
  }
}

/** Measures and evaluates, and writes no file but the journal. */
export async function measureOnly(model: RunModel, context: MeasureContext): ReturnType<typeof loadResult> {
  checkOpenFiles(model)
  const run = new Run(model, context)
  run.start()
  const failure = await run.measure()
  if (failure) throw failure
  return run.evaluate()
}

/** The client's floor: known from an earlier run on this machine, or measured now, which takes about a second. */
async function calibrated(model: RunModel, context: RunContext): Promise<CalibrationResult | undefined> {
  const known = cachedCalibration(model)
  if (known) return known
  context.ui.log('info', 'measuring this client itself first (about a second; kept for a week; --no-calibrate skips it)')
  try {
    const { calibrateAndKeep } = await import('../calibrate/calibrate.js')
    return await calibrateAndKeep(model, { index: context.index, signal: context.interrupt })
  } catch (error) {
    context.ui.log('warn', `this client could not be measured beforehand: ${(error as Error).message}`)
    return undefined
  }
}
