import { unitText } from '@aiperf/core/numbers'
import { axisTitle } from '../figure/measure.js'
import { subtitleOf } from '../figure/run-data.js'
import { summarise, type PageMetric, type RunSummary } from '../figure/summary.js'
import type { LoadedRun } from '../runs/loaded.js'
import { errorsSection, manifestSection, phasesSection, slowestSection } from './details.js'
import { html, type Markup } from './markup.js'
import { metricTables } from './metric-tables.js'
import type { RunPageData } from './page-data.js'
import { shell } from './shell.js'
import { pageLines, telemetrySection } from './telemetry-table.js'
import { tilesSection } from './tiles.js'
import { verdictSection } from './verdict.js'

/** Metrics of single requests that charts can show, in this order. */
export const CHARTED = ['time_to_first_token', 'inter_token_latency', 'request_latency', 'output_token_throughput_per_user', 'schedule_lag', 'input_sequence_length', 'output_sequence_length']

const EMPTY: RunSummary = { count: 0, failed: 0, end: 1, metrics: [], errors: [''], points: { n: [], start: [], end: [], inFlight: [], error: [], session: [], turn: [], id: [], values: {} }, curves: { inFlight: { t: [], v: [] }, requestRate: { t: [], v: [] } } }

/** What a page holds of one run's requests and telemetry. */
export async function runData(run: LoadedRun, exactUpTo?: number): Promise<RunPageData> {
  const tags = CHARTED.filter((tag) => run.metrics.has(tag))
  const metrics: PageMetric[] = tags.map((tag) => ({ tag, title: axisTitle(run.metrics.get(tag)!), unit: unitText(run.metrics.get(tag)!.unit) }))
  const table = await run.requests(tags)
  const requests = table && table.count > 0 ? summarise(table, metrics, exactUpTo) : EMPTY
  const quantiles: RunPageData['quantiles'] = Object.fromEntries(tags.map((tag) => {
    const metric = run.metrics.get(tag)!
    return [tag, Object.fromEntries((['p50', 'p90', 'p99'] as const).flatMap((p): [string, number | null][] => (metric[p] === undefined ? [] : [[p, metric.withheld?.[p] === undefined ? metric[p] : null]])))]
  }))
  return { kind: 'run', requests, telemetry: pageLines(await run.telemetry(), requests.end), quantiles }
}

/** The report of one run: a page in one file. */
export async function runReport(run: LoadedRun, theme?: 'light' | 'dark'): Promise<string> {
  const data = await runData(run)
  const title = run.facts['model'] ? `${String(run.facts['model'])}: ${loadOf(run)}` : run.name
  const sections: [id: string, text: string, section: Markup | string][] = [
    ['verdict', 'Verdict', verdictSection(run, title)],
    ['headline', '', tilesSection(run)],
    ['charts', 'Charts', chartsSection(data.requests)],
    ['slowest', 'Slowest', slowestSection(data.requests)],
    ['metrics', 'Metrics', metricTables(run)],
    ['errors', 'Errors', errorsSection(run)],
    ['telemetry', 'Server', telemetrySection(await run.telemetry(), data.requests.end)],
    ['phases', 'Phases', phasesSection(run)],
    ['manifest', 'Manifest', manifestSection(run)],
  ]
  return shell({
    title: `${title} – AIPerf report`,
    code: 'main',
    nav: sections.filter(([, text, section]) => text !== '' && section !== '').map(([id, text]) => ({ id, text })),
    body: html`${sections.map(([, , section]) => section)}`,
    data,
    ...(theme === undefined ? {} : { theme }),
    footer: `${run.about.program}${run.about.benchmarkId === undefined ? '' : ` · run ${run.about.benchmarkId}`}`,
  })
}

const loadOf = (run: LoadedRun): string => subtitleOf(run).split(' · ').slice(1).join(', ') || run.name

function chartsSection({ count, failed }: RunSummary): Markup {
  const nothing = count === 0 ? 'There are no single requests to draw.' : failed === count ? `No request succeeded: ${failed.toLocaleString('en-US')} failed. There is nothing to draw.` : ''
  return html`<section id="charts" aria-labelledby="charts-title"><h2 id="charts-title">Charts</h2><div id="charts-body">${nothing === '' ? html`<p class="wait">The charts are drawn by the page's script, which has not run here. Mail programs often keep it from running: open the file in a browser.</p>` : html`<p class="nothing">${nothing}</p>`}</div></section>`
}
