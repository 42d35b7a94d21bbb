import { parse, View } from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import { compile } from 'vega-lite'
import type { Figure, PlotStyle } from '@aiperf/core'
import { documentOf } from '../src/figure/document.js'
import { LEGEND_WIDTH } from '../src/figure/legend.js'
import { placeLabels } from '../src/figure/labels.js'
import { styleOf } from '../src/figure/theme.js'
import { el } from './dom.js'
import { currentTheme, onTheme } from './theme.js'
import { showTooltip } from './tooltip.js'

const FONT = getComputedStyle(document.documentElement).getPropertyValue('--font') || 'sans-serif'

export interface ChartSpec {
  spec: Figure['spec']
  description: string
  notes?: readonly string[]
}

/** A picture on the page: drawn again when its data, its width or the theme change. */
export class Chart {
  readonly element: HTMLElement
  readonly plot: HTMLElement
  readonly #notes: HTMLElement
  readonly #make: (style: PlotStyle) => ChartSpec | undefined
  readonly #height: number
  #view: View | undefined
  #width = 0
  #drawn: (() => void)[] = []

  constructor(title: string, height: number, make: (style: PlotStyle) => ChartSpec | undefined, id?: string) {
    this.#make = make
    this.#height = height
    this.plot = el('div', { class: 'plot', style: `height:${height}px` })
    this.#notes = el('p', { class: 'notes' })
    this.element = el('figure', { class: 'chart', ...(id === undefined ? {} : { id }) }, el('figcaption', {}, title), this.plot, this.#notes)
    onTheme(() => this.draw())
  }

  get view(): View | undefined {
    return this.#view
  }

  onDrawn(listener: () => void): void {
    this.#drawn.push(listener)
  }

  setTitle(title: string): void {
    this.element.querySelector('figcaption')!.textContent = title
  }

  /** To be called once the element stands on the page. */
  start(): void {
    new ResizeObserver(() => {
      const width = Math.floor(this.plot.clientWidth)
      if (width > 0 && width !== this.#width) this.draw()
    }).observe(this.plot)
  }

  draw(): void {
    this.#width = Math.floor(this.plot.clientWidth)
    if (this.#width === 0) return
    this.#view?.finalize()
    this.#view = undefined
    const theme = currentTheme()
    const made = this.#make(styleOf(theme))
    this.element.hidden = made === undefined
    if (!made) return
    const document = documentOf(made, { theme, width: this.#width, height: this.#height, font: FONT })
    const config = document['config'] as { axisX: object; axisY: object }
    const ticks = { axisX: { ...config.axisX, tickCount: Math.round(this.#width / 110) }, axisY: { ...config.axisY, tickCount: Math.round(this.#height / 45) } }
    const compiled = placeLabels(compile({ ...document, config: { ...config, ...ticks }, padding: { left: 4, right: 12, top: 4, bottom: 4 } } as never).spec)
    for (const legend of compiled.legends ?? []) if (typeof legend.columns === 'number') legend.columns = Math.max(1, Math.floor((legend.columns * this.#width) / LEGEND_WIDTH))
    const view = new View(parse(compiled, undefined, { ast: true }), { expr: expressionInterpreter as never, renderer: 'svg', container: this.plot, hover: true, tooltip: ((_: unknown, event: MouseEvent, __: unknown, value: unknown) => showTooltip(event, value)) as never })
    this.#view = view
    this.#notes.textContent = (made.notes ?? []).join(' ')
    // What is laid out anew to fit comes in a second pass.
    void view.runAsync().then(() => {
      if (this.#view !== view) return
      this.#describe(made.description)
      for (const listener of this.#drawn) listener()
    })
  }

  /** The picture is one thing with one description, not a hundred parts with none. */
  #describe(description: string): void {
    this.plot.firstElementChild?.setAttribute('style', 'background:none')
    const svg = this.plot.querySelector('svg')
    for (const part of svg?.querySelectorAll('[role]') ?? []) for (const name of ['role', 'aria-roledescription', 'aria-label']) part.removeAttribute(name)
    svg?.setAttribute('role', 'img')
    svg?.setAttribute('aria-label', description)
  }
}
