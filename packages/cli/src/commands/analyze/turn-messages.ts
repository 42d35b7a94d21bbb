import { Args, Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { tellFiles } from '../../tell-files.js'

export default class TurnMessages extends Command {
  static override summary = 'Show what was said: conversations, turns and messages of a run as a page.'
  static override description = 'Needs the raw records of the run (--export-level raw). Writes turn_messages.html beside it.'
  static override examples = ['<%= config.bin %> analyze turn-messages artifacts/my-run', '<%= config.bin %> analyze turn-messages artifacts/my-run -n 200 --content-cap 2000']
  static override strict = false
  static override args = { directories: Args.string({ required: true, description: 'Folders of runs.' }) }
  static override flags = {
    out: Flags.string({ description: 'File of the page; with one folder only.', helpValue: '<file>' }),
    conversations: Flags.integer({ char: 'n', min: 1, default: 40, description: 'Conversations on the page.' }),
    'max-turns': Flags.integer({ min: 1, default: 60, description: 'Turns of each.' }),
    'content-cap': Flags.integer({ min: 1, default: 8000, description: 'Characters of a message that are kept.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(TurnMessages)
    if (flags.out !== undefined && argv.length > 1) throw new AiperfError('E_COMMAND', '--out names one file, and there are several folders.')
    const { turnMessages } = await import('@aiperf/plugin-report/analyze/turn-messages')
    const written = await turnMessages({
      directories: argv as string[], conversations: flags.conversations, turns: flags['max-turns'], content: flags['content-cap'],
      ...(flags.out === undefined ? {} : { out: flags.out }),
    })
    tellFiles(written, argv.length)
  }
}
