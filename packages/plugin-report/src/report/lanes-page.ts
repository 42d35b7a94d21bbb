import { axisTitle } from '../figure/measure.js'
import { quantile } from '../figure/quantiles.js'
import { short } from '../figure/rows.js'
import { subtitleOf } from '../figure/run-data.js'
import { stepCurve, tokenRate, type StepCurve } from '../figure/curves.js'
import type { Lanes } from '../analyze/lanes.js'
import { difference, rowsOf, type Targets } from '../analyze/swim-lane-figure.js'
import type { LoadedRun } from '../runs/loaded.js'
import { html } from './markup.js'
import type { LanesPageData } from './page-data.js'
import { shell } from './shell.js'

const BINS = 240
/** Ids are most of a page: only so many requests show theirs. */
const MOST_IDS = 10_000

/** The swim lanes of a run on a page: to be moved about in, with what went on at the same time. */
export async function lanesPage(run: LoadedRun, lanes: Lanes, targets: Targets): Promise<string> {
  const tags = ['time_to_first_token', 'request_latency', 'input_sequence_length', 'output_sequence_length']
  const table = (await run.requests(tags))!
  const column = (tag: string): Float64Array | undefined => table.values(tag)
  const [ttft, isl, osl] = [column('time_to_first_token'), column('input_sequence_length'), column('output_sequence_length')]
  const value = (from: Float64Array | undefined, i: number): number | null => (from === undefined || Number.isNaN(from[i]!) ? null : short(from[i]!))
  const { bars, end } = lanes
  const curve = (title: string, unit: string, steps: StepCurve | undefined): LanesPageData['curves'] => (steps?.values.some((v) => v !== 0) ? [{ title, unit, rows: rowsOf(steps, end) }] : [])
  const data: LanesPageData = {
    kind: 'lanes',
    end: short(end),
    rows: lanes.rows,
    lanes: lanes.lanes,
    sessions: lanes.sessions.map(({ lane, start, end: last }) => [lane, short(start), short(last)]),
    bars: {
      request: bars.map((b) => b.request), row: bars.map((b) => b.row), start: bars.map((b) => round(b.start)), end: bars.map((b) => round(b.end)),
      ttft: bars.map((b) => value(ttft, b.request)), isl: bars.map((b) => value(isl, b.request)), osl: bars.map((b) => value(osl, b.request)),
      session: bars.map((b) => table.session[b.request]!), turn: bars.map((b) => table.turn[b.request]!), error: bars.map((b) => table.error(b.request)), id: bars.map((b) => (bars.length > MOST_IDS ? '' : table.id(b.request))),
    },
    curves: [
      ...curve('Requests under way', 'requests', lanes.requests),
      ...curve('Sessions that wait', 'sessions', difference(lanes.alive, lanes.active)),
      ...curve('Tokens in flight', 'tokens', flight(bars, isl, osl)),
      ...curve('Decode throughput', 'tokens/s', tokenRate(table)),
      ...curve('Prefill throughput', 'tokens/s', prefill(bars, ttft, isl)),
      ...curve('New input tokens', 'tokens/s', binnedRate(bars, isl, end)),
    ],
    ttft: ttftBins(bars, ttft, end),
    ttftTitle: axisTitle(run.metrics.get('time_to_first_token') ?? { header: 'Time to First Token', unit: 'ms' }),
    ...targets,
  }
  return shell({
    title: `Sessions of ${run.label} – AIPerf`,
    code: 'lanes',
    nav: [{ id: 'lanes', text: 'Lanes' }, { id: 'curves', text: 'At the same time' }],
    body: html`<section id="lanes" aria-labelledby="title"><h1 id="title">Sessions of ${run.label}</h1><p class="about">${subtitleOf(run, table)} · ${lanes.sessions.length} sessions in ${lanes.lanes.length} lanes${lanes.dropped > 0 ? ` · ${lanes.dropped} cancelled requests left out` : ''}</p><div id="lanes-body"><p class="wait">The lanes are drawn by the page's script, which has not run here.</p></div></section>
<section id="curves" aria-labelledby="curves-title"><h2 id="curves-title">At the same time</h2><div id="curves-body"></div></section>`,
    data,
    footer: run.about.program,
    wide: true,
  })
}

const round = (seconds: number): number => Math.round(seconds * 1e5) / 1e5

/** Input and output tokens of the requests under way. */
function flight(bars: Lanes['bars'], isl: Float64Array | undefined, osl: Float64Array | undefined): StepCurve | undefined {
  if (!isl && !osl) return undefined
  const tokens = bars.map((b) => (isl?.[b.request] || 0) + (osl?.[b.request] || 0))
  return stepCurve(Float64Array.from(bars.flatMap((b) => [b.start, b.end])), Float64Array.from(tokens.flatMap((n) => [n, -n])))
}

/** Input tokens spread from the start to the first token. */
function prefill(bars: Lanes['bars'], ttft: Float64Array | undefined, isl: Float64Array | undefined): StepCurve | undefined {
  if (!ttft || !isl) return undefined
  const seconds: number[] = []
  const deltas: number[] = []
  for (const { request, start } of bars) {
    const length = ttft[request]! / 1000
    if (!(length > 0) || Number.isNaN(isl[request]!)) continue
    const rate = isl[request]! / length
    seconds.push(start, start + length)
    deltas.push(rate, -rate)
  }
  return seconds.length === 0 ? undefined : stepCurve(Float64Array.from(seconds), Float64Array.from(deltas))
}

/** Input tokens of the requests that start in each bin, per second. */
function binnedRate(bars: Lanes['bars'], isl: Float64Array | undefined, end: number): StepCurve | undefined {
  if (!isl) return undefined
  const width = end / BINS || 1
  const sums = new Float64Array(BINS)
  for (const { request, start } of bars) if (!Number.isNaN(isl[request]!)) sums[Math.min(BINS - 1, Math.floor(start / width))]! += isl[request]!
  return { seconds: Float64Array.from(sums, (_, i) => i * width), values: sums.map((n) => n / width) }
}

function ttftBins(bars: Lanes['bars'], ttft: Float64Array | undefined, end: number): LanesPageData['ttft'] {
  if (!ttft) return []
  const width = end / BINS || 1
  const lists: number[][] = Array.from({ length: BINS }, () => [])
  for (const { request, start } of bars) if (!Number.isNaN(ttft[request]!)) lists[Math.min(BINS - 1, Math.floor(start / width))]!.push(ttft[request]!)
  return lists.flatMap((list, i) => {
    if (list.length === 0) return []
    const sorted = Float64Array.from(list).sort()
    return [{ t: short((i + 0.5) * width), p50: short(quantile(sorted, 0.5)), p99: short(quantile(sorted, 0.99)) }]
  })
}
