import { createRequire } from 'node:module'
import { EXIT } from '@aiperf/core'
import { quickHome } from './quick-home.js'
import { reportError } from './report-error.js'

/** Runs one command line to its end, and ends the process with its exit code. `root`: folder of the program's package.json. */
export async function main(argv: string[], root: string): Promise<void> {
  // A reader that went away (`aiperf … | head`) is no fault.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed))
  onWarning()
  try {
    await carryOut(argv, root)
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
  await run(argv, { root })
}

/** Warnings of Node and of the framework (a plugin that it cannot read) as one line each, without a stack. */
function onWarning(): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'DeprecationWarning' || process.env['AIPERF_DEBUG']) process.stderr.write(`warn: ${warning.message.split('\n')[0]}\n`)
  })
}
