import type { Config } from '@oclif/core/interfaces'
import { ConfigurationError, createRandom } from '@aiperf/core'
import { createHost, toolHost } from '@aiperf/core/host'
import { resolveTool } from '@aiperf/core/options'
import { installedPlugins } from '../installed.js'
import { onInterrupt } from '../profile/interrupt.js'
import { codeOf } from '../report-error.js'
import { consoleFacts } from '../screen.js'
import { ProgressLine } from './progress-line.js'

/** Runs a tool with the flags it declares; what is wrong with them is told before it is loaded. */
export async function runTool(config: Config, name: string, argv: readonly string[], command: string): Promise<void> {
  const index = installedPlugins(config)
  const host = createHost(index)
  const found = host.find('tool', name)
  const id = `${found.package}:${found.name}`
  const { options, problems } = resolveTool(index, found, argv, command)
  if (problems.length === 0) problems.push(...((await host.checkOf('tool', id))?.(options) ?? []))
  if (problems.length > 0) throw new ConfigurationError(problems, codeOf(problems))
  const tool = await host.activate('tool', id, { options, random: (stream) => createRandom(0, stream) })
  const line = new ProgressLine(process.stderr)
  try {
    process.exitCode = await tool.run(
      toolHost(host, {
        print: (text) => {
          line.clear()
          process.stdout.write(text)
        },
        warn: (message) => {
          line.clear()
          process.stderr.write(`warn: ${message}\n`)
        },
        progress: (what, done, total) => line.show(what, done, total),
        columns: consoleFacts(false, 'text').columns,
        signal: onInterrupt().signal,
      }),
    )
  } finally {
    line.clear()
  }
}
