import { relative } from 'node:path'
import { Args, Command, Flags } from '@oclif/core'
import { installedPlugins } from '../installed.js'
import { runReader } from '../open-runs.js'

export default class Report extends Command {
  static override summary = 'Write a report of finished runs: one HTML file that needs nothing else.'
  static override description = 'Of one run: verdict, headline, linked charts, tables, errors and manifest. Of several, or of a sweep: the points compared. The file loads nothing from elsewhere and can be sent by mail.'
  static override examples = ['<%= config.bin %> report artifacts/my-run', '<%= config.bin %> report artifacts/my-sweep --output sweep.html', '<%= config.bin %> report run-a run-b --output compared.html']
  static override strict = false
  static override args = { paths: Args.string({ required: true, description: 'Folders of runs or of sweeps, or folders above them.' }) }
  static override flags = {
    output: Flags.string({ description: 'File of the report (default: report.html in the folder of the run or sweep; of several, comparison.html in the first).', helpValue: '<file>' }),
    theme: Flags.string({ options: ['light', 'dark'], description: 'Colours at first; without it, those of the reader\'s system.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Report)
    const { writeReport } = await import('@aiperf/plugin-report/report/command')
    const { file } = await writeReport(
      { paths: argv as string[], ...(flags.output === undefined ? {} : { output: flags.output }), ...(flags.theme === undefined ? {} : { theme: flags.theme as 'light' | 'dark' }) },
      runReader(installedPlugins(this.config)),
    )
    const shown = relative(process.cwd(), file)
    process.stdout.write(`${shown.startsWith('..') ? file : shown}\n`)
  }
}
