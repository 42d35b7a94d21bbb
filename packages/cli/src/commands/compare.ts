import { writeFileSync } from 'node:fs'
import { Args, Command, Flags } from '@oclif/core'
import { AiperfError, ConfigurationError, EXIT } from '@aiperf/core'
import { installedPlugins } from '../installed.js'
import { runReader } from '../open-runs.js'

export default class Compare extends Command {
  static override summary = 'Compare two runs, series of runs or sweeps: what changed, how surely, and whether it matters.'
  static override description =
    'A run is the unit: its requests share what was special about it, so two folders of repeated runs (--num-profile-runs) can be tested, two single runs only described. Runs that measured different things are refused, with what differs.'
  static override examples = ['<%= config.bin %> compare artifacts/before artifacts/after', '<%= config.bin %> compare before after --fail-on regression --junit compare.xml --markdown compare.md']
  static override args = {
    a: Args.string({ required: true, description: 'Folder of the results that are the standard.' }),
    b: Args.string({ required: true, description: 'Folder of the results that are judged by it.' }),
  }
  static override flags = {
    metrics: Flags.string({ description: 'What is compared: tag:stat, with commas between (default: throughput, goodput, latencies, error rate).' }),
    'confidence-level': Flags.string({ default: '0.95', description: 'Level of the intervals and of the tests.' }),
    band: Flags.string({ default: '3', description: 'Differences within this many percent do not matter.' }),
    'fail-on': Flags.string({ options: ['regression', 'inconclusive'], description: 'Exit with code 3 when a figure is worse; or also when the runs cannot tell.' }),
    force: Flags.boolean({ description: 'Compare what measured different things all the same.' }),
    output: Flags.string({ options: ['text', 'markdown', 'json', 'junit'], default: 'text', description: 'Form of the comparison on stdout.' }),
    markdown: Flags.string({ description: 'Write it as Markdown to this file too.' }),
    junit: Flags.string({ description: 'Write it as JUnit XML to this file too.' }),
    json: Flags.string({ description: 'Write it as JSON to this file too.' }),
    report: Flags.string({ description: 'Write a report of both to this file: one HTML page, with charts.', helpValue: '<file>' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Compare)
    const level = share('--confidence-level', flags['confidence-level'], (v) => v > 0.5 && v < 1, 'a number between 0.5 and 1')
    const band = share('--band', flags.band, (v) => v >= 0 && v < 100, 'a number of percent between 0 and 100') / 100
    const metrics = flags.metrics?.split(',').map((item) => {
      const [tag, stat = 'avg', ...rest] = item.trim().split(':')
      if (!tag || rest.length > 0) throw new ConfigurationError([{ flags: ['--metrics'], message: `--metrics must be tag:stat with commas between, got ${JSON.stringify(item)}.`, hint: 'For example --metrics request_latency:p95,request_throughput:avg.' }])
      return { tag, stat }
    })
    const { compare, compareJson, compareJunit, compareMarkdown, compareText } = await import('@aiperf/engine/compare')
    const found = await compare(args.a, args.b, { index: installedPlugins(this.config), level, band, force: flags.force, warn: (m) => void process.stderr.write(`warn: ${m}\n`), ...(metrics ? { metrics } : {}) })
    const forms = { text: compareText, markdown: compareMarkdown, junit: compareJunit, json: (c: typeof found) => `${JSON.stringify(compareJson(c), undefined, 2)}\n` }
    process.stdout.write(forms[flags.output as keyof typeof forms](found))
    for (const form of ['markdown', 'junit', 'json'] as const) if (flags[form] !== undefined) writeFileSync(flags[form], forms[form](found))
    if (flags.report !== undefined) {
      const { writeReport } = await import('@aiperf/plugin-report/report/command')
      await writeReport({ paths: [args.a, args.b], output: flags.report }, runReader(installedPlugins(this.config)))
    }
    if (flags['fail-on'] === undefined) return
    if (found.singleRuns) throw new AiperfError('E_NOT_COMPARABLE', '--fail-on needs at least two runs of every point on both sides: one run tells nothing of how runs vary.', { hint: 'Measure with --num-profile-runs 3 or more.' })
    const rows = found.cells.flatMap((cell) => cell.rows)
    const bad = rows.filter((row) => row.verdict === 'worse' || (flags['fail-on'] === 'inconclusive' && row.verdict === 'inconclusive'))
    if (bad.length > 0) throw new AiperfError('E_REGRESSION', `${bad.map((row) => `${row.tag} ${row.stat} is ${row.verdict}`).join('; ')}.`)
    process.exitCode = EXIT.ok
  }
}

function share(flag: string, text: string, isFine: (value: number) => boolean, wanted: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || !isFine(value)) throw new ConfigurationError([{ flags: [flag], message: `${flag} must be ${wanted}, got ${JSON.stringify(text)}.` }])
  return value
}
