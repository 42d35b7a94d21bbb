import { AiperfError, type Statistics } from '@aiperf/core'
import { createHost, type Host } from '@aiperf/core/host'
import { styleOf, type ThemeName } from '../figure/theme.js'
import { axisTitle } from '../figure/measure.js'
import { catalogOf } from '../plot/catalog.js'
import { classify } from '../plot/classify.js'
import { rendered, type PlotFormat } from '../plot/command.js'
import { findConfig } from '../plot/config-file.js'
import { drawPlot } from '../plot/draw.js'
import { planOf, type PlotPlan } from '../plot/presets.js'
import { comparisonData } from '../report/comparison-data.js'
import { comparisonReport } from '../report/comparison-report.js'
import { runData, runReport, CHARTED } from '../report/run-report.js'
import type { LoadedRun } from '../runs/loaded.js'
import { readRuns, type ReadContext } from '../runs/read.js'
import { requestsCsv } from './csv.js'
import type { DashboardData, ListedRun } from './data.js'

export interface Answer {
  status: number
  type: string
  body: string | Uint8Array | Iterable<string>
  /** Offered as a file of this name. */
  file?: string
}

const HEADLINE: readonly (readonly [tag: string, stat: keyof Statistics])[] = [['request_throughput', 'avg'], ['output_token_throughput', 'avg'], ['time_to_first_token', 'p50'], ['time_to_first_token', 'p99'], ['inter_token_latency', 'p50'], ['request_latency', 'p50'], ['request_latency', 'p99'], ['request_error_rate', 'avg']]
const TYPES: Record<PlotFormat, string> = { png: 'image/png', svg: 'image/svg+xml', json: 'application/json' }
/** Requests of a run that the page is given one by one. */
const MOST_REQUESTS = 250_000

/** What the dashboard answers, apart from how it is asked. */
export class Routes {
  readonly #runs: LoadedRun[]
  readonly #plan: PlotPlan
  readonly #host: Host
  readonly close: () => void

  private constructor(runs: LoadedRun[], plan: PlotPlan, host: Host, close: () => void) {
    this.#runs = runs
    this.#plan = plan
    this.#host = host
    this.close = close
  }

  static async open(paths: readonly string[], config: string | undefined, context: ReadContext): Promise<Routes> {
    const plan = planOf(catalogOf(context.index), await findConfig(config, paths))
    const set = await readRuns(paths, context)
    return new Routes(plan.classification ? classify(set.runs, plan.classification) : set.runs, plan, createHost(context.index), set.close)
  }

  /** What the page begins with. */
  get data(): DashboardData {
    return {
      kind: 'dashboard',
      runs: this.#runs.map(listed),
      plots: [...this.#plan.entries.values()].map(({ name, title, scope, defaultFor }) => ({ name, title, scope, usual: defaultFor.run || defaultFor.runs || this.#plan.run?.includes(name) === true || this.#plan.runs?.includes(name) === true })),
    }
  }

  async answer(path: string, query: URLSearchParams): Promise<Answer> {
    switch (path) {
      case '/api/run': {
        const [run] = this.#asked(query)
        return json(await runData(run!, MOST_REQUESTS))
      }
      case '/api/compare':
        return json(await comparisonData(this.#asked(query)))
      case '/api/requests.csv': {
        const [run] = this.#asked(query)
        const table = await run!.requests(CHARTED)
        if (!table) return { status: 404, type: 'text/plain', body: 'This run has no single requests.' }
        return { status: 200, type: 'text/csv', body: requestsCsv(table, CHARTED), file: `${fileName(run!.label)}.csv` }
      }
      case '/report': {
        const runs = this.#asked(query)
        const body = runs.length === 1 ? await runReport(runs[0]!) : await comparisonReport(runs, process.cwd())
        return { status: 200, type: 'text/html', body, file: `${runs.length === 1 ? fileName(runs[0]!.label) : 'compared'}.html` }
      }
      case '/plot':
        return this.#plot(query)
      default:
        return { status: 404, type: 'text/plain', body: 'There is nothing here.' }
    }
  }

  async #plot(query: URLSearchParams): Promise<Answer> {
    const runs = this.#asked(query)
    const name = query.get('name') ?? ''
    const entry = this.#plan.entries.get(name)
    if (!entry) return { status: 404, type: 'text/plain', body: `There is no plot "${name}".` }
    const theme: ThemeName = query.get('theme') === 'dark' ? 'dark' : 'light'
    const drawn = await drawPlot(this.#host, entry, entry.scope === 'run' ? runs.slice(0, 1) : runs, styleOf(theme))
    const format = query.get('format')
    if (format === null) return json('figure' in drawn ? { title: entry.title, figure: drawn.figure } : { title: entry.title, absent: 'absent' in drawn ? drawn.absent : drawn.error.message })
    if (!('figure' in drawn)) return { status: 404, type: 'text/plain', body: 'absent' in drawn ? drawn.absent : drawn.error.message }
    if (!(format in TYPES)) return { status: 400, type: 'text/plain', body: 'format must be png, svg or json.' }
    const pixels = (key: string, otherwise: number): number => Math.min(4000, Math.max(200, Number(query.get(key)) || otherwise))
    const body = await rendered(drawn.figure, entry.title, format as PlotFormat, { theme, width: pixels('width', 1000), height: pixels('height', 560), scale: 2 })
    return { status: 200, type: TYPES[format as PlotFormat], body, file: `${name}.${format}` }
  }

  /** The runs that a request names, by number. */
  #asked(query: URLSearchParams): LoadedRun[] {
    const runs = (query.get('runs') ?? '').split(',').flatMap((id) => (/^\d+$/.test(id) ? (this.#runs[Number(id)] ?? []) : []))
    if (runs.length === 0) throw new AiperfError('E_COMMAND', 'No run of that number.')
    return runs
  }
}

const json = (value: unknown): Answer => ({ status: 200, type: 'application/json', body: JSON.stringify(value) })
const fileName = (label: string): string => label.replaceAll(/[^\w.-]+/g, '_') || 'run'

function listed(run: LoadedRun, id: number): ListedRun {
  const { label, name, directory, facts, about } = run
  return {
    id, label, name, directory, facts,
    verdict: about.verdict?.verdict ?? 'none',
    reasons: about.verdict?.reasons.filter((r) => r.level !== 'note').map((r) => r.message) ?? [],
    headline: HEADLINE.flatMap(([tag, stat]) => {
      const metric = run.metrics.get(tag)
      return metric?.[stat] === undefined ? [] : [{ tag, stat, title: axisTitle(metric, metric.p50 === undefined ? undefined : stat), value: metric[stat] }]
    }),
  }
}
