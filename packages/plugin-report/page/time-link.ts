import type { Figure } from '@aiperf/core'
import type { Range } from '../src/figure/run-source.js'
import type { Chart } from './chart.js'

/** Charts over the same time: a pointer in one shows in all, and a stretch chosen in one is chosen for the page. */
export class TimeLink {
  readonly charts: Chart[] = []
  readonly #end: number
  readonly #chosen: (range: Range | undefined) => void
  #range: Range | undefined

  constructor(end: number, chosen: (range: Range | undefined) => void) {
    this.#end = end
    this.#chosen = chosen
  }

  get range(): Range | undefined {
    return this.#range
  }

  /** A spec with the layers that show pointer and stretch. */
  linked(spec: Figure['spec'], color: string): Figure['spec'] {
    const layers = Array.isArray(spec['layer']) ? (spec['layer'] as Figure['spec'][]) : [{ data: spec['data']!, mark: spec['mark']!, encoding: spec['encoding']! }]
    const { data: _data, mark: _mark, encoding: _encoding, layer: _layer, ...rest } = spec
    return {
      ...rest,
      layer: [
        { data: { name: 'range', values: [] }, mark: { type: 'rect', color, opacity: 0.1, aria: false }, encoding: { x: { field: 'from', type: 'quantitative' }, x2: { field: 'to' } } },
        ...layers,
        { data: { name: 'pointer', values: [] }, mark: { type: 'rule', color, opacity: 0.55, aria: false }, encoding: { x: { field: 't', type: 'quantitative' } } },
      ],
    }
  }

  add(chart: Chart): void {
    this.charts.push(chart)
    chart.onDrawn(() => this.#paintRange(chart))
    const { plot } = chart
    plot.tabIndex = 0
    plot.setAttribute('role', 'group')
    plot.setAttribute('aria-label', 'Chart over time. Arrow keys choose a stretch of time, with Shift they make it longer or shorter, Escape ends the choice.')
    plot.classList.add('timed')
    let from: number | undefined
    plot.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return
      from = this.#timeAt(chart, event)
      plot.setPointerCapture(event.pointerId)
    })
    plot.addEventListener('pointermove', (event) => {
      const t = this.#timeAt(chart, event)
      this.#pointAt(t)
      if (from !== undefined && t !== undefined) this.#paintAll({ from: Math.min(from, t), to: Math.max(from, t) })
    })
    plot.addEventListener('pointerup', (event) => {
      const t = this.#timeAt(chart, event)
      if (from === undefined || t === undefined) return
      const range = { from: Math.min(from, t), to: Math.max(from, t) }
      from = undefined
      this.choose(range.to - range.from < this.#end / 200 ? undefined : range)
    })
    plot.addEventListener('pointercancel', () => (from = undefined))
    plot.addEventListener('pointerleave', () => this.#pointAt(undefined))
    plot.addEventListener('keydown', (event) => this.#key(event))
  }

  choose(range: Range | undefined): void {
    this.#range = range && range.to > range.from ? { from: Math.max(0, range.from), to: Math.min(this.#end, range.to) } : undefined
    this.#paintAll(this.#range)
    this.#chosen(this.#range)
  }

  #key(event: KeyboardEvent): void {
    const step = this.#end / 20
    const { from, to } = this.#range ?? { from: 0, to: step * 4 }
    const move = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (event.key === 'Escape') this.choose(undefined)
    else if (move === undefined) return
    else if (!this.#range) this.choose({ from, to })
    else if (event.shiftKey) this.choose({ from, to: Math.max(from + step, to + move) })
    else if (from + move >= -1e-9 && to + move <= this.#end + 1e-9) this.choose({ from: from + move, to: to + move })
    event.preventDefault()
  }

  #timeAt(chart: Chart, event: PointerEvent): number | undefined {
    const { view, plot } = chart
    if (!view) return undefined
    const scale = view.scale('x') as { invert(x: number): number }
    const x = event.clientX - plot.getBoundingClientRect().left - view.origin()[0]!
    return Math.max(0, Math.min(this.#end, scale.invert(Math.max(0, Math.min(view.width(), x)))))
  }

  #pointAt(t: number | undefined): void {
    for (const { view } of this.charts) view?.data('pointer', t === undefined ? [] : [{ t }]).run()
  }

  #paintAll(range: Range | undefined): void {
    for (const { view } of this.charts) view?.data('range', range ? [{ ...range }] : []).run()
  }

  #paintRange({ view }: Chart): void {
    if (this.#range) view?.data('range', [{ ...this.#range }]).run()
  }
}
