import { relative } from 'node:path'
import { Args, Command, Flags } from '@oclif/core'
import { AiperfError, EXIT } from '@aiperf/core'
import { installedPlugins } from '../installed.js'
import { runReader } from '../open-runs.js'
import { reportFailures } from '../report-error.js'

const FORMATS = ['png', 'svg', 'json'] as const

export default class Plot extends Command {
  static override summary = 'Draw plots of finished runs: one run over time, or several compared.'
  static override description =
    'Finds every run at or below the paths: runs, sweeps, repeated runs, and runs of AIPerf 0.13.0. One run alone is shown over time; several are compared, the points of a sweep named by what was varied.'
  static override examples = [
    '<%= config.bin %> plot artifacts/my-run',
    '<%= config.bin %> plot artifacts/my-sweep --theme dark --format png,svg',
    '<%= config.bin %> plot run-a run-b --plots ttft_cdf,latency_cdf --output pictures',
    '<%= config.bin %> plot artifacts --dashboard',
    '<%= config.bin %> plot artifacts/my-run --list',
  ]
  static override strict = false
  static override args = { paths: Args.string({ description: 'Folders of runs or of sweeps, or folders above them (default ./artifacts).' }) }
  static override flags = {
    output: Flags.string({ description: 'Folder of the pictures (default: plots in the first path).', helpValue: '<folder>' }),
    theme: Flags.string({ options: ['light', 'dark'], description: 'Colours (default: light; of the dashboard, those of the reader\'s system).' }),
    config: Flags.string({ description: 'YAML file with own plots, defaults and the classes of an experiment.', helpValue: '<file>' }),
    plots: Flags.string({ description: 'Names of the plots to draw, separated by commas (default: all that are drawn by default).', helpValue: '<names>' }),
    list: Flags.boolean({ description: 'List the plots, and which of them the runs allow and why not; draw nothing.' }),
    mode: Flags.string({ options: ['auto', 'single', 'compare'], default: 'auto', description: 'Show each run by itself, or compare them.' }),
    format: Flags.string({ default: 'png', description: `What to write, separated by commas: ${FORMATS.join(', ')} (json: Vega-Lite).`, helpValue: '<formats>' }),
    width: Flags.integer({ min: 200, max: 8000, default: 1000, description: 'Width of a picture, px.' }),
    height: Flags.integer({ min: 150, max: 8000, default: 560, description: 'Height of a picture, px.' }),
    scale: Flags.string({ default: '2', description: 'Pixels of a PNG for each px of width and height.', helpValue: '<number>' }),
    'allow-empty': Flags.boolean({ description: 'Exit code 0 although nothing could be drawn.' }),
    dashboard: Flags.boolean({ description: 'Serve an interactive page instead of writing pictures; Ctrl-C ends it.' }),
    host: Flags.string({ default: '127.0.0.1', description: 'Address of the dashboard. Others than loopback ask for the key in its URL.' }),
    port: Flags.integer({ min: 0, max: 65535, default: 8050, description: 'Port of the dashboard; 0: any that is free.' }),
    verbose: Flags.boolean({ char: 'v', description: 'Say why plots were skipped.' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Plot)
    const paths = argv.length > 0 ? (argv as string[]) : ['artifacts']
    const context = runReader(installedPlugins(this.config))
    const theme = (flags.theme ?? 'light') as 'light' | 'dark'
    const config = flags.config === undefined ? {} : { config: flags.config }
    if (flags.dashboard) {
      const { serveDashboard } = await import('@aiperf/plugin-report/dashboard/serve')
      const dashboard = await serveDashboard({ paths, host: flags.host, port: flags.port, ...config, ...(flags.theme === undefined ? {} : { theme }) }, context)
      process.stdout.write(`Dashboard on ${dashboard.url}\nCtrl-C ends it.\n`)
      await new Promise<void>((done) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, done)))
      return dashboard.close()
    }
    const mode = flags.mode as 'auto' | 'single' | 'compare'
    const plots = flags.plots?.split(',').map((name) => name.trim()).filter(Boolean) ?? []
    if (flags.list) {
      const { listPlots } = await import('@aiperf/plugin-report/plot/list')
      process.stdout.write(await listPlots({ paths: argv.length > 0 ? paths : undefined, mode, theme, ...config }, context))
      return
    }
    const { plotRuns } = await import('@aiperf/plugin-report/plot/command')
    const outcome = await plotRuns(
      { paths, theme, mode, plots, formats: formats(flags.format), width: flags.width, height: flags.height, scale: scale(flags.scale), ...config, ...(flags.output === undefined ? {} : { output: flags.output }) },
      context,
    )
    for (const notice of outcome.notices) process.stderr.write(`note: ${notice}\n`)
    const folder = relative(process.cwd(), outcome.directory)
    if (outcome.files.length > 0) process.stdout.write(`${outcome.files.length} files in ${folder.startsWith('..') ? outcome.directory : folder || '.'}:\n${outcome.files.map((file) => `  ${relative(outcome.directory, file)}`).join('\n')}\n`)
    if (outcome.skipped.length > 0 && (flags.verbose || outcome.files.length === 0 || plots.length > 0)) process.stderr.write(`Not drawn:\n${outcome.skipped.map(({ name, reason }) => `  ${name}: ${reason}`).join('\n')}\n`)
    else if (outcome.skipped.length > 0) process.stdout.write(`${outcome.skipped.length} more were not possible (-v says why).\n`)
    reportFailures(outcome.failed)
    if (outcome.files.length === 0 && !flags['allow-empty']) throw new AiperfError('E_EXPORT', 'Nothing could be drawn.', { hint: '--allow-empty makes this no failure; aiperf plot --list says what each plot needs.' })
    if (outcome.failed.length > 0) process.exitCode = EXIT.failed
  }
}

function formats(given: string): (typeof FORMATS)[number][] {
  const asked = [...new Set(given.split(',').map((f) => f.trim().toLowerCase()).filter(Boolean))]
  const unknown = asked.filter((f) => !(FORMATS as readonly string[]).includes(f))
  if (unknown.length > 0 || asked.length === 0) throw new AiperfError('E_COMMAND', `--format takes ${FORMATS.join(', ')}, got ${given || 'nothing'}.`)
  return asked as (typeof FORMATS)[number][]
}

function scale(given: string): number {
  const value = Number(given)
  if (!(value >= 0.25 && value <= 8)) throw new AiperfError('E_COMMAND', `--scale must be a number from 0.25 to 8, got ${given}.`)
  return value
}
