import type { Figure } from '@aiperf/core'
import type { ListedPlot } from '../src/dashboard/data.js'
import { Chart } from './chart.js'
import { el } from './dom.js'
import { currentTheme } from './theme.js'

interface Answered {
  title: string
  figure?: Figure
  absent?: string
}

const HEIGHT = 320

/** Every plot that fits the chosen runs, drawn by the server's plots, with files to take away. */
export function plotGrid(plots: readonly ListedPlot[], runs: readonly number[], fetchJson: <T>(path: string) => Promise<T>): HTMLElement {
  const scope = runs.length === 1 ? 'run' : 'runs'
  const fitting = plots.filter((plot) => plot.scope === 'any' || plot.scope === scope)
  const grid = el('div', { class: 'row' })
  const absent = el('ul', { class: 'notices' })
  let all = false
  const fill = async (): Promise<void> => {
    grid.replaceChildren()
    absent.replaceChildren()
    for (const plot of fitting.filter((p) => all || p.usual)) {
      const query = `name=${encodeURIComponent(plot.name)}&runs=${runs.join(',')}`
      const answer = await fetchJson<Answered>(`plot?${query}&theme=${currentTheme()}`)
      if (!answer.figure) {
        absent.append(el('li', {}, `${plot.title}: ${answer.absent ?? ''}`))
        continue
      }
      const { figure } = answer
      const chart = new Chart(plot.title, HEIGHT, () => ({ ...figure, ...(figure.notes ? { notes: figure.notes } : {}) }), `plot-${plot.name}`)
      const file = (format: string): HTMLElement => el('a', { href: `plot?${query}&theme=${currentTheme()}&format=${format}`, download: `${plot.name}.${format}` }, format.toUpperCase())
      chart.element.append(el('p', { class: 'take' }, 'Save as ', file('png'), ' ', file('svg'), ' ', file('json')))
      grid.append(chart.element)
      chart.start()
    }
  }
  void fill()
  const box = el('input', { type: 'checkbox', change: () => {
    all = box.checked
    void fill()
  } })
  return el('div', {}, el('div', { class: 'toolbar' }, el('label', { class: 'choice' }, box, 'All plots, not only the usual ones')), grid, absent)
}
