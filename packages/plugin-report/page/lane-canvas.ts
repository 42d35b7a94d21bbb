import type { PlotStyle } from '@aiperf/core'
import type { Range } from '../src/figure/run-source.js'
import type { LanesPageData } from '../src/report/page-data.js'
import { shown } from '../src/report/numbers.js'
import { el } from './dom.js'
import { showTooltip } from './tooltip.js'

const AXIS = 22

/** Sessions as lanes on a canvas: any number of requests, at any magnification. */
export class LaneCanvas {
  readonly element: HTMLElement
  readonly #canvas = el('canvas', { tabindex: 0, role: 'img' })
  readonly #data: LanesPageData
  readonly #chosen: (range: Range | undefined) => void
  readonly #style: () => PlotStyle
  readonly #rowHeight: number
  #view: Range
  #drag: { from: number; to: number } | undefined

  constructor(data: LanesPageData, style: () => PlotStyle, chosen: (range: Range | undefined) => void) {
    this.#data = data
    this.#style = style
    this.#chosen = chosen
    this.#view = { from: 0, to: data.end }
    this.#rowHeight = Math.max(5, Math.min(18, Math.floor(620 / Math.max(1, data.rows))))
    this.#canvas.setAttribute('aria-label', `${data.sessions.length} sessions in ${data.lanes.length} lanes. Plus and minus magnify, arrow keys move, Escape shows the whole run.`)
    this.element = el('div', { class: 'lanes scroll', style: 'max-height:70vh;overflow-y:auto' }, this.#canvas)
    new ResizeObserver(() => this.draw()).observe(this.element)
    this.#listen()
  }

  show(range: Range | undefined): void {
    this.#view = range ?? { from: 0, to: this.#data.end }
    this.draw()
  }

  draw(): void {
    const ratio = devicePixelRatio || 1
    const width = this.element.clientWidth
    const height = this.#data.rows * this.#rowHeight + AXIS
    if (width === 0) return
    this.#canvas.width = width * ratio
    this.#canvas.height = height * ratio
    this.#canvas.style.width = `${width}px`
    this.#canvas.style.height = `${height}px`
    const pen = this.#canvas.getContext('2d')!
    pen.scale(ratio, ratio)
    const style = this.#style()
    this.#drawLanes(pen, width, style)
    this.#drawAxis(pen, width, height, style)
    if (this.#drag) {
      pen.globalAlpha = 0.15
      pen.fillStyle = style.text
      pen.fillRect(Math.min(this.#drag.from, this.#drag.to), 0, Math.abs(this.#drag.to - this.#drag.from), height - AXIS)
      pen.globalAlpha = 1
    }
  }

  #drawLanes(pen: CanvasRenderingContext2D, width: number, style: PlotStyle): void {
    const { bars, sessions, lanes, rows } = this.#data
    const { from, to } = this.#view
    const h = this.#rowHeight
    const x = (t: number): number => ((t - from) / (to - from)) * width
    pen.globalAlpha = 0.08
    pen.fillStyle = style.muted
    pen.fillRect(0, 0, width, rows * h)
    pen.globalAlpha = 0.28
    pen.fillStyle = style.series[0]!
    const seen = new Set<number>()
    const ticks: [number, number, number][] = []
    for (const [lane, start, end] of sessions) {
      const { row, rows: deep } = lanes[lane]!
      if (seen.has(lane)) ticks.push([start, row, deep])
      seen.add(lane)
      if (end >= from && start <= to) pen.fillRect(x(start), row * h, Math.max(0.5, x(end) - x(start)), deep * h - 1)
    }
    pen.globalAlpha = 1
    const inset = h > 8 ? 2 : 1
    for (let i = 0; i < bars.row.length; i++) {
      if (bars.end[i]! < from || bars.start[i]! > to) continue
      const [a, b] = [x(bars.start[i]!), x(bars.end[i]!)]
      const y = bars.row[i]! * h + inset / 2
      const first = bars.ttft[i] === null ? b : Math.min(b, x(bars.start[i]! + bars.ttft[i]! / 1000))
      pen.fillStyle = bars.error[i] === '' ? style.series[4]! : style.bad
      pen.fillRect(a, y, Math.max(0.7, first - a), h - inset)
      if (b > first) {
        pen.fillStyle = style.series[0]!
        pen.fillRect(first, y, Math.max(0.5, b - first), h - inset)
      }
    }
    pen.fillStyle = style.text
    for (const [t, row, deep] of ticks) if (t >= from && t <= to) pen.fillRect(x(t) - 0.5, row * h, 1, deep * h - 1)
    const ramp = this.#data.rampSeconds
    if (ramp !== undefined && ramp >= from && ramp <= to) pen.fillRect(x(ramp) - 1, 0, 2, rows * h)
  }

  #drawAxis(pen: CanvasRenderingContext2D, width: number, height: number, style: PlotStyle): void {
    const { from, to } = this.#view
    const rough = (to - from) / Math.max(2, width / 110)
    const power = 10 ** Math.floor(Math.log10(rough))
    const step = power * ([1, 2, 5, 10].find((k) => k * power >= rough) ?? 10)
    pen.fillStyle = style.muted
    pen.font = `12px ${getComputedStyle(this.element).fontFamily}`
    pen.textBaseline = 'top'
    for (let t = Math.ceil(from / step) * step; t <= to + 1e-9; t += step) {
      const at = ((t - from) / (to - from)) * width
      const text = `${Number(t.toPrecision(8))} s`
      pen.fillRect(at, height - AXIS, 1, 4)
      pen.fillText(text, Math.max(0, Math.min(width - pen.measureText(text).width, at - pen.measureText(text).width / 2)), height - AXIS + 6)
    }
  }

  #listen(): void {
    const canvas = this.#canvas
    const at = (event: MouseEvent): number => Math.max(0, Math.min(canvas.clientWidth, event.clientX - canvas.getBoundingClientRect().left))
    const time = (px: number): number => this.#view.from + (px / canvas.clientWidth) * (this.#view.to - this.#view.from)
    canvas.addEventListener('pointerdown', (event) => {
      this.#drag = { from: at(event), to: at(event) }
      canvas.setPointerCapture(event.pointerId)
    })
    canvas.addEventListener('pointermove', (event) => {
      if (this.#drag) {
        this.#drag.to = at(event)
        this.draw()
      } else this.#hover(event, time(at(event)))
    })
    canvas.addEventListener('pointerup', () => {
      const drag = this.#drag
      this.#drag = undefined
      if (drag && Math.abs(drag.to - drag.from) > 6) this.#choose({ from: time(Math.min(drag.from, drag.to)), to: time(Math.max(drag.from, drag.to)) })
      else this.draw()
    })
    canvas.addEventListener('pointerleave', () => showTooltip(undefined, undefined))
    canvas.addEventListener('dblclick', () => this.#choose(undefined))
    canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      this.#magnify(event.deltaY > 0 ? 1.25 : 0.8, time(at(event)))
    }, { passive: false })
    canvas.addEventListener('keydown', (event) => {
      const middle = (this.#view.from + this.#view.to) / 2
      const step = (this.#view.to - this.#view.from) / 5
      if (event.key === '+' || event.key === '=') this.#magnify(0.5, middle)
      else if (event.key === '-') this.#magnify(2, middle)
      else if (event.key === 'ArrowLeft') this.#move(-step)
      else if (event.key === 'ArrowRight') this.#move(step)
      else if (event.key === 'Escape') this.#choose(undefined)
      else return
      event.preventDefault()
    })
  }

  #magnify(factor: number, around: number): void {
    const { from, to } = this.#view
    const range = { from: Math.max(0, around - (around - from) * factor), to: Math.min(this.#data.end, around + (to - around) * factor) }
    this.#choose(range.from <= 0 && range.to >= this.#data.end ? undefined : range)
  }

  #move(by: number): void {
    const { from, to } = this.#view
    const shift = Math.max(-from, Math.min(this.#data.end - to, by))
    this.#choose({ from: from + shift, to: to + shift })
  }

  #choose(range: Range | undefined): void {
    this.#chosen(range)
  }

  #hover(event: MouseEvent, t: number): void {
    const { bars } = this.#data
    const row = Math.floor((event.clientY - this.#canvas.getBoundingClientRect().top) / this.#rowHeight)
    const slack = ((this.#view.to - this.#view.from) / this.#canvas.clientWidth) * 2
    const k = bars.row.findIndex((r, i) => r === row && bars.start[i]! - slack <= t && bars.end[i]! + slack >= t)
    if (k < 0) return showTooltip(undefined, undefined)
    const value = (v: number | null, unit: string): string => (v === null ? '–' : `${shown(v)} ${unit}`)
    showTooltip(event, {
      Session: `${bars.session[k]}, turn ${bars.turn[k]}`, Start: `${shown(bars.start[k])} s`, Took: value((bars.end[k]! - bars.start[k]!) * 1000, 'ms'), 'First token': value(bars.ttft[k]!, 'ms'),
      Input: value(bars.isl[k]!, 'tokens'), Output: value(bars.osl[k]!, 'tokens'), ...(bars.error[k] === '' ? {} : { Error: bars.error[k]! }), ...(bars.id[k] === '' ? {} : { Id: bars.id[k]! }),
    })
  }
}
