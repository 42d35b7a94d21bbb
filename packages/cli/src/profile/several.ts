import { AiperfError, EXIT, type Orchestration, type Overlay, type RunModel } from '@aiperf/core'
import { createHost, type PluginIndex } from '@aiperf/core/host'
import { redactCommand, type ConfigFile, type OptionTable, type Resolved } from '@aiperf/core/options'
import { reportFailures } from '../report-error.js'
import { consoleFacts, filesLine } from '../screen.js'
import { onInterrupt } from './interrupt.js'
import { drawPictures } from './pictures.js'
import { openUi } from './ui.js'

/** What a sweep, a search or repeated runs begin with. */
export interface Several {
  index: PluginIndex
  table: OptionTable
  argv: readonly string[]
  base: { model: RunModel; explicit: Resolved['explicit'] }
  orchestration: Orchestration
  notices: readonly string[]
  config?: ConfigFile | undefined
  resolveAt(overlay: Overlay): Promise<Resolved>
}

/** Runs a benchmark more than once, to its files and its exit code. */
export async function profileSeveral({ index, table, argv, base, orchestration, notices, config, resolveAt }: Several): Promise<void> {
  const { makePlan, runPlan } = await import('@aiperf/engine/search')
  const plan = await makePlan({ index, orchestration, base, resolveAt })
  const { model } = base
  const interrupt = onInterrupt()
  const ui = await openUi(createHost(index), model, interrupt.press)
  for (const notice of notices) ui.log('warn', notice)
  try {
    const outcome = await runPlan(plan, {
      index, ui,
      command: `aiperf profile ${redactCommand(argv, table)}`.trim(),
      interrupt: interrupt.signal,
      console: consoleFacts(model.runtime.verbose, model.runtime.output),
      print: (text) => void process.stdout.write(text),
    })
    await ui.close()
    process.exitCode = outcome.exitCode
    const pictures = interrupt.signal.aborted ? [] : await drawPictures({ index, model, directory: outcome.directory, orchestration, config })
    filesLine(outcome.directory, [...outcome.files, ...pictures], model.runtime.output)
    if (outcome.failure) reportFailures([outcome.failure])
  } catch (error) {
    await ui.close()
    if (interrupt.signal.aborted && (error as AiperfError).code === 'E_INTERRUPTED') process.exitCode = EXIT.interrupted
    throw error
  }
}
