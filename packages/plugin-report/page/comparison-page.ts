import type { MetricResult, PlotRun, PlotStyle, Statistics } from '@aiperf/core'
import type { ComparedOptions } from '../src/figure/comparison.js'
import { paretoFigure } from '../src/figure/figures/pareto.js'
import { percentilesFigure } from '../src/figure/figures/percentiles.js'
import { uncertaintyFigure } from '../src/figure/figures/uncertainty.js'
import { axisTitle, sentence } from '../src/figure/measure.js'
import { cdfSpec } from '../src/figure/specs/distribution.js'
import { valueAxis } from '../src/figure/time-axis.js'
import type { ComparedRun, ComparisonPageData } from '../src/report/page-data.js'
import { startBaseline } from './baseline.js'
import { Chart, type ChartSpec } from './chart.js'
import { byId, choice, el } from './dom.js'

const MOST_CURVES = 8

/** The charts of several runs. */
export function startComparisonPage(data: ComparisonPageData): void {
  const place = byId('charts-body')
  if (place) mountComparison(data, place)
  startBaseline(data)
}

/** The same into any place, again and again. */
export const mountComparison = (data: ComparisonPageData, place: HTMLElement): void => new ComparisonPage(data).mount(place)

/** A run as the figures know it. */
const plotRun = (run: ComparedRun): PlotRun => {
  const metrics = new Map(run.metrics.map((m) => [m.tag, m]))
  return { ...run, directory: '', metrics, largerIsBetter: (tag) => run.larger.includes(tag), gpus: undefined, slices: [], telemetry: () => Promise.resolve([]), requests: () => Promise.resolve(undefined) }
}

class ComparisonPage {
  readonly #data: ComparisonPageData
  readonly #runs: PlotRun[]
  readonly #hidden = new Set<string>()
  readonly #measures: { value: string; text: string }[]
  readonly #distributed: MetricResult[]
  #x: string
  #y: string
  #metric: string
  #charts: Chart[] = []

  constructor(data: ComparisonPageData) {
    this.#data = data
    this.#runs = data.runs.map(plotRun)
    const metrics = [...new Map(data.runs.flatMap((run) => run.metrics).map((m) => [m.tag, m])).values()].toSorted((a, b) => (a.order ?? 1e9) - (b.order ?? 1e9))
    this.#measures = metrics.flatMap((m) => (m.p50 === undefined ? [{ value: m.tag, text: axisTitle(m) }] : (['avg', 'p50', 'p90', 'p95', 'p99'] as const).map((stat) => ({ value: `${m.tag}|${stat}`, text: axisTitle(m, stat) }))))
    this.#distributed = metrics.filter((m) => m.kind === 'record' && m.p50 !== undefined)
    const first = (...wanted: string[]): string => wanted.find((w) => this.#measures.some(({ value }) => value === w)) ?? this.#measures[0]!.value
    this.#x = first('request_latency|p50', 'request_latency|avg')
    this.#y = first('output_token_throughput_per_gpu', 'output_token_throughput', 'request_throughput')
    this.#metric = (this.#distributed.find((m) => m.tag === 'time_to_first_token') ?? this.#distributed[0])?.tag ?? ''
  }

  mount(place: HTMLElement): void {
    const pareto = new Chart('', 420, (style) => this.#pareto(style), 'chart-pareto')
    const percentiles = new Chart('', 320, (style) => this.#percentiles(style), 'chart-percentiles')
    const cdf = new Chart('', 320, (style) => this.#cdf(style), 'chart-cdf')
    this.#charts = [pareto, percentiles, cdf]
    const title = (): void => {
      const name = (value: string): string => this.#measures.find((m) => m.value === value)!.text.replace(/ \([^)]*\)$/, '')
      pareto.setTitle(`${name(this.#y)} against ${name(this.#x).toLowerCase()}`)
      const metric = this.#distributed.find((m) => m.tag === this.#metric)
      percentiles.setTitle(metric ? `${sentence(metric.header)}: percentiles` : '')
      cdf.setTitle(metric ? `${sentence(metric.header)}: share of requests` : '')
    }
    const set = (change: () => void): void => {
      change()
      title()
      for (const chart of this.#charts) chart.draw()
    }
    place.replaceChildren(
      ...(this.#runs.length > 2 ? [this.#filters(() => set(() => {}))] : []),
      el('div', { class: 'toolbar' }, choice('Horizontal', this.#measures, this.#x, (v) => set(() => (this.#x = v))), choice('Vertical', this.#measures, this.#y, (v) => set(() => (this.#y = v)))),
      el('div', { class: 'row one' }, pareto.element),
      ...(this.#metric === '' ? [] : [
        el('div', { class: 'toolbar' }, choice('Metric', this.#distributed.map((m) => ({ value: m.tag, text: axisTitle(m) })), this.#metric, (v) => set(() => (this.#metric = v)))),
        el('div', { class: 'row' }, percentiles.element, cdf.element),
      ]),
    )
    title()
    for (const chart of this.#charts) chart.start()
  }

  /** Which runs the charts show. */
  #filters(changed: () => void): HTMLElement {
    const points = [...new Map(this.#runs.map((run) => [run.point, run.label.replace(/ #\d+$/, '')]))]
    const boxes = points.map(([point, label]) => {
      const box = el('input', { type: 'checkbox', checked: true, change: () => {
        if (box.checked) this.#hidden.delete(point)
        else this.#hidden.add(point)
        changed()
      } })
      return el('label', {}, box, label)
    })
    return el('details', { class: 'filters', open: points.length <= 12 }, el('summary', {}, 'Shown in the charts'), el('div', { class: 'boxes' }, ...boxes))
  }

  get #shown(): PlotRun[] {
    return this.#runs.filter((run) => !this.#hidden.has(run.point))
  }

  #pareto(style: PlotStyle): ChartSpec {
    const measure = (value: string): ComparedOptions['x'] => {
      const [metric, stat] = value.split('|') as [string, string | undefined]
      return { metric, stat }
    }
    const options = { x: measure(this.#x), y: measure(this.#y), autoscale: 'none', ciLevel: 0.95 }
    const repeated = new Set(this.#shown.map((run) => run.point)).size < this.#shown.length
    const made = (repeated ? uncertaintyFigure : paretoFigure)(this.#shown, options, style)
    return 'absent' in made ? nothing(made.absent, style) : made
  }

  #percentiles(style: PlotStyle): ChartSpec {
    const stats: (keyof Statistics)[] = ['p50', 'p90', 'p99']
    const made = percentilesFigure(this.#shown, { y: this.#metric, stats }, style)
    return 'absent' in made ? nothing(made.absent, style) : made
  }

  #cdf(style: PlotStyle): ChartSpec | undefined {
    const shown = new Set(this.#shown.map((run) => run.label))
    const known = this.#pooled(shown)
    if (known.length === 0) return undefined
    const chosen = known.length <= MOST_CURVES ? known : Array.from({ length: MOST_CURVES }, (_, i) => known[Math.round((i * (known.length - 1)) / (MOST_CURVES - 1))]!)
    const metric = this.#distributed.find((m) => m.tag === this.#metric)!
    const { log } = valueAxis('v', '', Float64Array.from(chosen.flatMap(({ values }) => values.filter((_, i) => i % 5 === 0))).sort())
    const spec = cdfSpec(chosen.map(({ label, values }) => ({ label, points: values.map((v, i) => ({ v, share: i / (values.length - 1) })) })), { title: axisTitle(metric), log }, style)
    return { spec, description: `Share of requests by ${axisTitle(metric)}`, notes: chosen.length < known.length ? [`${chosen.length} of ${known.length} curves, evenly chosen.`] : [] }
  }

  /** Quantiles of each point, those of repeated runs laid together. */
  #pooled(shown: ReadonlySet<string>): { label: string; values: number[] }[] {
    const points = new Map<string, { label: string; values: number[] }>()
    for (const run of this.#data.runs) {
      const quantiles = run.quantiles[this.#metric]
      if (!quantiles || !shown.has(run.label)) continue
      const known = points.get(run.point)
      if (known) known.values.push(...quantiles)
      else points.set(run.point, { label: run.label.replace(/ #\d+$/, ''), values: [...quantiles] })
    }
    return [...points.values()].map(({ label, values }) => ({ label, values: values.sort((a, b) => a - b) }))
  }
}

const nothing = (text: string, style: PlotStyle): ChartSpec => ({ spec: { data: { values: [{}] }, mark: { type: 'text', text, fontSize: 14, color: style.muted } }, description: text })
