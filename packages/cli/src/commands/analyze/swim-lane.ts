import { Args, Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { installedPlugins } from '../../installed.js'
import { runReader } from '../../open-runs.js'
import { tellFiles } from '../../tell-files.js'

export default class SwimLane extends Command {
  static override summary = 'Draw when each session of a run was served: one lane per session at a time.'
  static override description = 'Works on runs and on exported files. Writes swim_lane.png beside each run, and with --html a page to move about in.'
  static override examples = ['<%= config.bin %> analyze swim-lane artifacts/my-run --html', '<%= config.bin %> analyze swim-lane run-a run-b --concurrency 32 --ramp 30']
  static override strict = false
  static override args = { directories: Args.string({ required: true, description: 'Folders of runs.' }) }
  static override flags = {
    out: Flags.string({ description: 'File of the picture; with one folder only.', helpValue: '<file>' }),
    concurrency: Flags.integer({ min: 1, description: 'Sessions that were to be under way: drawn as the target.' }),
    ramp: Flags.string({ description: 'End of the ramp-up, seconds: drawn as a line.', helpValue: '<seconds>' }),
    html: Flags.boolean({ description: 'Write a page too, with curves of tokens and throughput.' }),
    theme: Flags.string({ options: ['light', 'dark'], default: 'light', description: 'Colours of the picture.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(SwimLane)
    if (flags.out !== undefined && argv.length > 1) throw new AiperfError('E_COMMAND', '--out names one file, and there are several folders.')
    const ramp = flags.ramp === undefined ? undefined : Number(flags.ramp)
    if (ramp !== undefined && !(ramp >= 0)) throw new AiperfError('E_COMMAND', `--ramp must be a number of seconds, got ${flags.ramp}.`)
    const { swimLane } = await import('@aiperf/plugin-report/analyze/swim-lane')
    const written = await swimLane(
      {
        directories: argv as string[], html: flags.html, theme: flags.theme as 'light' | 'dark',
        ...(flags.out === undefined ? {} : { out: flags.out }), ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }), ...(ramp === undefined ? {} : { rampSeconds: ramp }),
      },
      runReader(installedPlugins(this.config)),
    )
    tellFiles(written, argv.length)
  }
}
