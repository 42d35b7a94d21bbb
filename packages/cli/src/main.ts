import { createRequire } from 'node:module'
import { AiperfError, EXIT } from '@aiperf/core'
import { didYouMean } from '@aiperf/core/host'
import { quickHome } from './quick-home.js'
import { reportError } from './report-error.js'

/** Runs one command line to its end, and ends the process with its exit code. `root`: folder of the program's package.json. */
export async function main(argv: string[], root: string): Promise<void> {
  // A reader that went away (`aiperf … | head`) is no fault.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed))
  onWarning()
  try {
    await carryOut(inFlags(argv), root)
  } catch (error) {
    process.exitCode = reportError(error)
  }
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))))
  process.exit()
}

async function carryOut(argv: string[], root: string): Promise<void> {
  const home = argv[0] === 'profile' && !argv.includes('--help') && !argv.includes('-h') ? quickHome(root) : undefined
  if (home) {
    const { profile } = await import('./profile/run.js')
    return profile(argv.slice(1), home)
  }
  // Loaded by `require`: importing a package of many CommonJS files costs far more, each is scanned for its exports.
  const { run } = createRequire(import.meta.url)('@oclif/core/run') as typeof import('@oclif/core/run')
  // What is compiled is what runs: where NODE_ENV is `test` or `development` the framework would look for sources, and warn.
  const { settings } = createRequire(import.meta.url)('@oclif/core/settings') as typeof import('@oclif/core/settings')
  settings.enableAutoTranspile = false
  await run(argv, { root }).catch((error: Error) => asUnknownCommand(error, root))
}

/** What other programs have as commands: `aiperf help profile`, `aiperf version`. */
function inFlags([first, ...rest]: string[]): string[] {
  if (first === 'help') return [...rest, '--help']
  return first === 'version' ? ['--version'] : first === undefined ? [] : [first, ...rest]
}

/** A command that there is not, with the nearest ones. */
async function asUnknownCommand(error: Error, root: string): Promise<never> {
  const typed = /^command (\S+) not found$/.exec(error.message)?.[1]?.replaceAll(':', ' ')
  if (typed === undefined) throw error
  const { Config } = createRequire(import.meta.url)('@oclif/core/config') as typeof import('@oclif/core/config')
  const names = (await Config.load(root)).commands.filter((command) => !command.hidden).map((command) => command.id.replaceAll(':', ' '))
  throw new AiperfError('E_COMMAND', `There is no command "${typed}".`, { hint: didYouMean(typed, names) || 'aiperf --help lists the commands.' })
}

/** Warnings of Node and of the framework (a plugin that it cannot read) as one line each, without a stack. */
function onWarning(): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'DeprecationWarning' || process.env['AIPERF_DEBUG']) process.stderr.write(`warn: ${warning.message.split('\n')[0]}\n`)
  })
}
