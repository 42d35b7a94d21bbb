import { Command } from '@oclif/core/command'
import { AiperfError } from '@aiperf/core'
import { didYouMean } from '@aiperf/core/host'
import { candidates } from '../completion/candidates.js'
import { PLACES, SCRIPTS, type Shell } from '../completion/scripts.js'

const SHELLS = Object.keys(SCRIPTS) as Shell[]

export default class Completion extends Command {
  static override summary = 'Print a script that teaches a shell to complete commands, flags and values, those of plugins too.'
  static override description = `The shell reads it where it looks for such scripts:\n${SHELLS.map((shell) => `  ${shell.padEnd(10)}  aiperf completion ${shell} ${PLACES[shell]}`).join('\n')}`
  static override examples = SHELLS.map((shell) => `<%= config.bin %> completion ${shell}`)
  static override usage = `completion ${SHELLS.join('|')}`
  static override strict = false
  /** The words of a command line are read as they are: the framework's parser would take its flags for ours. */
  override parsed = true

  async run(): Promise<void> {
    const [first = '', separator, ...words] = this.argv
    if (first === '--words' && separator === '--')
      return void process.stdout.write(candidates(this.config, words).map(({ value, description }) => `${value}\t${description.replaceAll(/\s+/g, ' ')}\n`).join(''))
    const shell = SHELLS.find((name) => name === first)
    if (!shell || separator !== undefined) throw new AiperfError('E_COMMAND', first === '' ? 'Expected the name of a shell.' : `There is no script for ${JSON.stringify(this.argv.join(' '))}.`, { hint: `${didYouMean(first, SHELLS)} Shells: ${SHELLS.join(', ')}.`.trim() })
    process.stdout.write(SCRIPTS[shell])
  }
}
