import { statSync } from 'node:fs'
import { Args, Command, Flags } from '@oclif/core'
import { AiperfError, EXIT } from '@aiperf/core'
import { installedPlugins } from '../installed.js'
import { reportFailures } from '../report-error.js'
import { consoleFacts, filesLine } from '../screen.js'

export default class Export extends Command {
  static override summary = "Write a run's files again, from its journal alone."
  static override description = 'Works offline, on runs that were interrupted or killed too: what had reached the disk is evaluated and exported.'
  static override args = { directory: Args.string({ required: true, description: "The run's folder: the one that holds manifest.json." }) }
  static override flags = {
    output: Flags.string({ options: ['text', 'json'], default: 'text', description: 'Form of the results on stdout.' }),
    verbose: Flags.boolean({ char: 'v', description: 'Say more.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Export)
    const found = statSync(args.directory, { throwIfNoEntry: false })
    if (!found?.isDirectory()) throw new AiperfError('E_INPUT_FILE', `${args.directory} ${found ? 'is a file, expected the folder of a run' : 'does not exist'}.`, { hint: 'Give the folder that aiperf profile named at its end.' })
    const { exportRun } = await import('@aiperf/engine')
    const exported = await exportRun(args.directory, {
      index: installedPlugins(this.config),
      console: consoleFacts(flags.verbose, flags.output as 'text' | 'json'),
      print: (text) => void process.stdout.write(text),
      warn: (message) => void process.stderr.write(`warn: ${message}\n`),
    })
    filesLine(exported.directory, exported.files, flags.output as 'text' | 'json')
    reportFailures(exported.failures)
    process.exitCode = exported.failures.length === 0 ? EXIT.ok : EXIT.failed
  }
}
