import { ConfigurationError, EXIT, type AiperfError } from '@aiperf/core'
import { createHost } from '@aiperf/core/host'
import { allProblems, buildTable, redactCommand, resolveRun, type ResolveInput } from '@aiperf/core/options'
import { installedPlugins, type Home } from '../installed.js'
import { loadConfig } from './config.js'
import { onInterrupt } from './interrupt.js'
import { outcomeError } from './outcome.js'
import { drawPictures } from './pictures.js'
import { openUi } from './ui.js'
import { codeOf, reportFailures } from '../report-error.js'
import { consoleFacts, filesLine } from '../screen.js'

/** `aiperf profile`: from its arguments to its files and its exit code. */
export async function profile(argv: readonly string[], home: Home): Promise<void> {
  const index = installedPlugins(home)
  const table = buildTable(index)
  const notices: string[] = []
  let config: ReturnType<typeof loadConfig> | undefined
  const input: ResolveInput = {
    index, table, argv, env: process.env,
    interactive: process.stderr.isTTY === true,
    sweeps: true,
    loadConfig: (asked) => (config ??= loadConfig(asked, (notice) => notices.push(notice))),
  }
  const resolved = await resolveRun(input)
  const host = createHost(index)
  const problems = await allProblems(host, resolved)
  if (!resolved.model || problems.length > 0) throw new ConfigurationError(problems, codeOf(problems))
  const { model } = resolved
  notices.push(...resolved.notices)
  const { orchestration, explicit } = resolved
  if (orchestration) {
    const { profileSeveral } = await import('./several.js')
    return profileSeveral({ index, table, argv, base: { model, explicit }, orchestration, notices, config: await config, resolveAt: (overlay) => resolveRun({ ...input, overlay }) })
  }

  const interrupt = onInterrupt()
  const ui = await openUi(host, model, interrupt.press)
  for (const notice of notices) ui.log('warn', notice)
  try {
    const { runBenchmark } = await import('@aiperf/engine')
    const facts = consoleFacts(model.runtime.verbose, model.runtime.output)
    const outcome = await runBenchmark(model, {
      index, ui, notices,
      explicit,
      command: `aiperf profile ${redactCommand(argv, table)}`.trim(),
      interrupt: interrupt.signal,
      console: facts,
      print: (text) => void process.stdout.write(text),
    })
    await ui.close()
    process.exitCode = outcome.exitCode
    const pictures = outcome.exitCode === EXIT.ok ? await drawPictures({ index, model, directory: outcome.directory, config: await config }) : []
    filesLine(outcome.directory, [...outcome.files, ...pictures], model.runtime.output)
    const reason = outcome.failures.length > 0 ? undefined : outcomeError(outcome.exitCode, outcome.result)
    reportFailures(reason ? [reason] : outcome.failures)
  } catch (error) {
    await ui.close()
    if (interrupt.signal.aborted && (error as AiperfError).code === 'E_INTERRUPTED') process.exitCode = EXIT.interrupted
    throw error
  }
}
