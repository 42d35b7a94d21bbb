import type { PlotStyle } from '@aiperf/core'
import { histogram } from '../src/figure/histogram.js'
import { runSource, type Distribution, type Range, type RunSource } from '../src/figure/run-source.js'
import { bandsSpec } from '../src/figure/specs/bands.js'
import { curveSpec, linesSpec } from '../src/figure/specs/curve.js'
import { cdfSpec, histogramSpec } from '../src/figure/specs/distribution.js'
import { pointsSpec } from '../src/figure/specs/points.js'
import { cumulative } from '../src/figure/stairs.js'
import { thin } from '../src/figure/thin.js'
import type { Curve, PageMetric } from '../src/figure/summary.js'
import { LOG_NOTE, valueAxis } from '../src/figure/time-axis.js'
import { shown } from '../src/report/numbers.js'
import type { PageLine, RunPageData } from '../src/report/page-data.js'
import { Chart, type ChartSpec } from './chart.js'
import { byId, choice, el } from './dom.js'
import { failuresSpec } from './failures.js'
import { slowest } from './slowest.js'
import { TimeLink } from './time-link.js'
import { xChoices, type XChoice } from './x-choices.js'

const TALL = 300
const LOW = 200
const MOST_POINTS = 4000

/** The charts of one run, linked by time. */
export function startRunPage(data: RunPageData): void {
  const place = byId('charts-body')
  if (!place || data.requests.metrics.length === 0 || data.requests.count === data.requests.failed) return
  mountRun(data, place)
}

/** The same into any place, again and again. */
export const mountRun = (data: RunPageData, place: HTMLElement): void => new RunPage(data).mount(place)

class RunPage {
  readonly #data: RunPageData
  readonly #source: RunSource
  readonly #link: TimeLink
  readonly #xs: XChoice[]
  readonly #selection = el('p', { class: 'selection', 'aria-live': 'polite' })
  #metric: PageMetric
  #x: XChoice
  #telemetry: string
  #follow: Chart[] = []
  #all: Chart[] = []

  constructor(data: RunPageData) {
    this.#data = data
    this.#source = runSource(data.requests)
    this.#link = new TimeLink(data.requests.end, () => this.#chosen())
    this.#metric = data.requests.metrics[0]!
    this.#xs = xChoices(data)
    this.#x = this.#xs[0]!
    this.#telemetry = data.telemetry[0]?.name ?? ''
  }

  mount(place: HTMLElement): void {
    const { requests, telemetry } = this.#data
    const { curves } = requests
    const timed = (title: string, height: number, make: (style: PlotStyle) => ChartSpec | undefined, id: string): Chart => {
      const chart = new Chart(title, height, (style) => {
        const made = make(style)
        return made && { ...made, spec: this.#link.linked(made.spec, style.text) }
      }, id)
      this.#link.add(chart)
      return chart
    }
    const main = timed('', TALL, (style) => this.#bands(style), 'chart-time')
    const distribution = new Chart('', TALL, (style) => this.#histogram(style), 'chart-distribution')
    const cdf = new Chart('', TALL, (style) => this.#cdf(style), 'chart-cdf')
    const scatter = new Chart('', TALL, (style) => this.#scatter(style), 'chart-scatter')
    const curve = (title: string, unit: string, id: string, from: Curve | undefined, color: number): Chart[] =>
      from ? [timed(title, LOW, (style) => ({ spec: curveSpec({ rows: rowsOf(from), title: unit, end: requests.end, steps: true, color: style.series[color]! }, style), description: `${title} over time` }), id)] : []
    const lag = requests.metrics.find(({ tag }) => tag === 'schedule_lag')
    const failures = requests.failed > 0 ? [timed('Failed requests', LOW, (style) => ({ spec: failuresSpec(this.#data.requests, style), description: `${requests.failed} failed requests over time` }), 'chart-failures')] : []
    const lines = telemetry.length > 0 ? [timed('', LOW, (style) => this.#lines(style), 'chart-telemetry')] : []
    this.#follow = [distribution, cdf, scatter]
    this.#all = [main, distribution, cdf, scatter, ...lines]
    const metrics = requests.metrics.map(({ tag, title }) => ({ value: tag, text: title }))
    const choose = (): void => {
      this.#titles(main, distribution, cdf, scatter, lines[0])
      for (const chart of this.#all) chart.draw()
      this.#tell()
    }
    const wide = (...charts: Chart[]): HTMLElement => el('div', { class: 'row one' }, ...charts.map((chart) => chart.element))
    const pair = (...charts: (Chart | undefined)[]): HTMLElement => el('div', { class: 'row' }, ...charts.flatMap((chart) => chart?.element ?? []))
    place.replaceChildren(
      el('div', { class: 'toolbar' },
        choice('Metric', metrics, this.#metric.tag, (tag) => {
          this.#metric = requests.metrics.find((m) => m.tag === tag)!
          choose()
        }),
        ...this.#rangeInputs(),
      ),
      this.#selection,
      wide(main),
      pair(...curve('Requests in flight', 'requests', 'chart-in-flight', curves.inFlight, 1), ...curve('Output tokens per second', 'tokens/s', 'chart-tokens', curves.tokenRate, 0)),
      pair(...curve('Completed requests per second', 'requests/s', 'chart-requests', curves.requestRate, 2), ...(lag ? [timed('Schedule lag', LOW, (style) => this.#bandsOf({ ...lag, title: lag.unit }, style), 'chart-lag')] : []), ...failures),
      ...(lines.length > 0
        ? [el('div', { class: 'toolbar' }, choice('Telemetry', unique(telemetry).map(({ name, header }) => ({ value: name, text: header })), this.#telemetry, (name) => {
            this.#telemetry = name
            choose()
          })), wide(...lines)]
        : []),
      pair(distribution, cdf),
      el('div', { class: 'toolbar' }, choice('Against', this.#xs.map(({ id, title }) => ({ value: id, text: title })), this.#x.id, (id) => {
        this.#x = this.#xs.find((x) => x.id === id)!
        choose()
      })),
      wide(scatter),
    )
    this.#titles(main, distribution, cdf, scatter, lines[0])
    for (const figure of place.querySelectorAll<HTMLElement>('figure')) figure.dataset['ready'] = ''
    for (const chart of new Set([...this.#link.charts, ...this.#all])) chart.start()
    this.#tell()
  }

  #titles(main: Chart, distribution: Chart, cdf: Chart, scatter: Chart, lines: Chart | undefined): void {
    const name = this.#metric.title.replace(/ \([^)]*\)$/, '')
    main.setTitle(`${name} over time`)
    distribution.setTitle(`${name}: distribution`)
    cdf.setTitle(`${name}: share of requests`)
    scatter.setTitle(`${name} against ${this.#x.short}`)
    lines?.setTitle(this.#data.telemetry.find(({ name: n }) => n === this.#telemetry)?.header ?? '')
  }

  #rangeInputs(): HTMLElement[] {
    const input = (id: string, label: string): HTMLInputElement => el('input', { type: 'number', id, min: 0, step: 'any', 'aria-label': label })
    const [from, to] = [input('range-from', 'From, seconds'), input('range-to', 'To, seconds')]
    const apply = (): void => {
      const range = { from: Number(from.value || 0), to: to.value === '' ? this.#data.requests.end : Number(to.value) }
      this.#link.choose(from.value === '' && to.value === '' ? undefined : range)
    }
    from.addEventListener('change', apply)
    to.addEventListener('change', apply)
    return [el('span', { class: 'choice' }, el('span', {}, 'Time'), from, el('span', {}, 'to'), to, el('span', {}, 's'), el('button', { type: 'button', id: 'range-clear', click: () => this.#link.choose(undefined) }, 'Whole run'))]
  }

  #chosen(): void {
    for (const chart of this.#follow) chart.draw()
    const range = this.#link.range
    const set = (id: string, value: number | undefined): void => {
      const input = byId(id) as HTMLInputElement | null
      if (input) input.value = value === undefined ? '' : String(Number(value.toPrecision(4)))
    }
    set('range-from', range?.from)
    set('range-to', range?.to)
    this.#tell()
  }

  /** What the chosen stretch comes to. */
  #tell(): void {
    const range = this.#link.range
    const { started, failed } = this.#source.requests(range)
    const d = this.#source.distribution(this.#metric.tag, range)
    const q = this.#quantiles(d, range)
    const about = d.error > 0 && range ? `, within ${d.error * 100} %` : ''
    const values = d.count === 0 ? 'no values' : `${q.map(({ name, value }) => `${name} ${shown(value)}, `).join('')}max ${shown(d.max)} ${this.#metric.unit}${about}`
    this.#selection.replaceChildren(
      el('b', {}, range ? `${shown(Number(range.from.toPrecision(4)))} to ${shown(Number(range.to.toPrecision(4)))} s: ` : 'Whole run: '),
      `${started.toLocaleString('en-US')} requests started${failed > 0 ? `, ${failed.toLocaleString('en-US')} failed` : ''}. ${this.#metric.title.replace(/ \([^)]*\)$/, '')}: ${values}.`,
      range ? '' : ' Drag over a chart to look at a part of the run.',
    )
    slowest(this.#source, this.#metric, range)
  }

  /** Of the whole run the percentiles are those of the tables. What too few requests of it carry, no part of it does. */
  #quantiles(d: Distribution, range: Range | undefined): { name: string; value: number }[] {
    const known = this.#data.quantiles[this.#metric.tag] ?? {}
    return ([['p50', 0.5], ['p90', 0.9], ['p99', 0.99]] as const).flatMap(([name, q]) => (known[name] === null ? [] : [{ name, value: (range ? undefined : known[name]) ?? d.quantile(q) }]))
  }

  #bands(style: PlotStyle): ChartSpec {
    return this.#bandsOf(this.#metric, style)
  }

  #bandsOf({ tag, title }: PageMetric, style: PlotStyle): ChartSpec {
    const { points, end } = this.#data.requests
    const bins = this.#source.bins(tag)
    const values = points.values[tag]!
    const all = points.n.flatMap((n, k) => (values[k] === null ? [] : [{ t: points.start[k]!, v: values[k]!, n }]))
    const width = bins.length > 0 ? bins[0]!.to - bins[0]!.from : 1
    const limit = new Map(bins.map((bin) => [Math.round(bin.from / width), bin.p99]))
    const above = bins.length < 3 ? all : all.filter(({ t, v }) => v > (limit.get(Math.floor(t / width)) ?? Infinity)).sort((a, b) => b.v - a.v).slice(0, 400)
    const whole = this.#source.distribution(tag)
    const failures = points.start.filter((_, k) => points.error[k] !== 0)
    const { spec, notes } = bandsSpec({ bins, points: above, sorted: sample(whole), title, count: whole.count, end, failures }, style)
    return { spec, notes, description: `${title} over time` }
  }

  #histogram(style: PlotStyle): ChartSpec {
    const range = this.#link.range
    const d = this.#source.distribution(this.#metric.tag, range)
    const { log } = valueAxis('v', '', sample(d))
    const marks = d.count < 20 ? [] : this.#quantiles(d, range)
    const buckets = d.count === 0 ? histogram(new Float64Array(), false) : d.buckets(log, 50)
    return { spec: histogramSpec({ buckets, marks, title: this.#metric.title, unit: this.#metric.unit, log }, style), description: `Distribution of ${this.#metric.title}`, notes: log ? [LOG_NOTE] : [] }
  }

  #cdf(style: PlotStyle): ChartSpec {
    const range = this.#link.range
    const whole = this.#source.distribution(this.#metric.tag)
    const part = range && this.#source.distribution(this.#metric.tag, range)
    const { log } = valueAxis('v', '', sample(whole))
    const curves = [{ label: 'Whole run', d: whole }, ...(part && part.count > 0 ? [{ label: 'Chosen time', d: part }] : [])].map(({ label, d }) => ({ label, points: cumulative(d.quantile) }))
    return { spec: cdfSpec(curves, { title: this.#metric.title, log }, style), description: `Share of requests by ${this.#metric.title}` }
  }

  #scatter(style: PlotStyle): ChartSpec {
    const { points, count } = this.#data.requests
    const values = points.values[this.#metric.tag]!
    const within = this.#source.points(this.#link.range)
    const shownOf = within.length > MOST_POINTS ? thin(Float64Array.from(within, (k) => values[k] ?? Number.NaN), MOST_POINTS).indexes.map((i) => within[i]!) : within
    const chosen = shownOf.flatMap((k) => {
      const x = this.#x.at(k)
      return values[k] === null || x === null || !Number.isFinite(x) ? [] : [{ x, y: values[k]!, n: points.n[k]! }]
    })
    const { spec, log } = pointsSpec({ points: chosen, x: { field: 'x', type: 'quantitative', title: this.#x.title, scale: { zero: false, nice: true } }, xTitle: this.#x.title, title: this.#metric.title, sorted: Float64Array.from(chosen, ({ y }) => y).sort() }, style)
    const note = this.#source.exact && shownOf.length === within.length ? [] : [`${chosen.length.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} requests: the largest, the failed, and an even choice of the others.`]
    return { spec, description: `${this.#metric.title} against ${this.#x.title}`, notes: [...note, ...(log ? [LOG_NOTE] : [])] }
  }

  #lines(style: PlotStyle): ChartSpec | undefined {
    const lines = this.#data.telemetry.filter(({ name }) => name === this.#telemetry)
    const [first] = lines
    if (!first) return undefined
    const title = first.unit === '' ? first.header : `${first.header} (${first.unit})`
    return { spec: linesSpec({ lines: lines.map((line) => ({ label: line.label, rows: rowsOf(line) })), title: first.unit || 'value', end: this.#data.requests.end, percent: first.unit === '%', whole: first.unit === 'requests' }, style), description: `${title} over time` }
  }
}

const rowsOf = ({ t, v }: Curve): { t: number; v: number }[] => t.map((at, i) => ({ t: at, v: v[i]! }))
const unique = (lines: readonly PageLine[]): PageLine[] => [...new Map(lines.map((line) => [line.name, line])).values()]

/** Quantiles in place of all values, for choices of scale. */
const sample = (d: Distribution): Float64Array => (d.count === 0 ? new Float64Array() : Float64Array.from([...Array.from({ length: 41 }, (_, i) => d.quantile(i / 40)), d.max]).sort())
