import { curveSpec, linesSpec } from '../src/figure/specs/curve.js'
import { styleOf } from '../src/figure/theme.js'
import type { LanesPageData } from '../src/report/page-data.js'
import { Chart } from './chart.js'
import { byId, el, pageData } from './dom.js'
import { LaneCanvas } from './lane-canvas.js'
import { currentTheme, onTheme, startTheme } from './theme.js'
import { TimeLink } from './time-link.js'

const HEIGHT = 170

function start(data: LanesPageData): void {
  const told = el('p', { class: 'selection', 'aria-live': 'polite' })
  const link = new TimeLink(data.end, (range) => {
    canvas.show(range)
    told.textContent = range ? `${Number(range.from.toPrecision(4))} to ${Number(range.to.toPrecision(4))} s` : 'The whole run. Drag to magnify a stretch of time; double click or Escape shows everything again.'
  })
  const canvas = new LaneCanvas(data, () => styleOf(currentTheme()), (range) => link.choose(range))
  onTheme(() => canvas.draw())
  const key = (color: string, text: string): HTMLElement => el('span', { class: 'key' }, el('i', { class: color }), text)
  byId('lanes-body')!.replaceChildren(
    el('div', { class: 'toolbar' }, key('prefill', 'until the first token'), key('decode', 'first token to end'), key('gap', 'session waits'), key('failed', 'failed'), key('reuse', 'lane taken over'), el('button', { type: 'button', click: () => link.choose(undefined) }, 'Whole run')),
    told, canvas.element,
  )
  const charts: Chart[] = []
  const add = (title: string, id: string, make: ConstructorParameters<typeof Chart>[2]): void => {
    const chart = new Chart(title, HEIGHT, (style) => {
      const made = make(style)
      return made && { ...made, spec: link.linked(made.spec, style.text) }
    }, id)
    link.add(chart)
    charts.push(chart)
  }
  data.curves.forEach(({ title, unit, rows }, i) => add(title, `curve-${i}`, (style) => ({ spec: curveSpec({ rows, title: unit, end: data.end, steps: true, color: style.series[i % style.series.length]! }, style), description: `${title} over time` })))
  if (data.ttft.length > 0) add(data.ttftTitle, 'curve-ttft', (style) => ({ spec: linesSpec({ lines: [{ label: 'p50', rows: data.ttft.map(({ t, p50 }) => ({ t, v: p50 })) }, { label: 'p99', rows: data.ttft.map(({ t, p99 }) => ({ t, v: p99 })) }], title: 'ms', end: data.end }, style), description: `${data.ttftTitle} over time` }))
  byId('curves-body')!.replaceChildren(el('div', { class: 'row' }, ...charts.map((chart) => chart.element)))
  for (const chart of charts) chart.start()
  link.choose(undefined)
}

startTheme()
start(pageData<LanesPageData>())
document.documentElement.dataset['started'] = ''
