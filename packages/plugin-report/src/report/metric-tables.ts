import type { MetricResult, Statistics } from '@aiperf/core'
import { unitText } from '@aiperf/core/numbers'
import { sentence } from '../figure/measure.js'
import type { LoadedRun } from '../runs/loaded.js'
import { html, type Markup } from './markup.js'
import { shown } from './numbers.js'

const COLUMNS = ['avg', 'min', 'p50', 'p90', 'p95', 'p99', 'max', 'std', 'count'] as const satisfies readonly (keyof Statistics)[]
const HEADS: Partial<Record<keyof Statistics, string>> = { avg: 'mean', std: 'std. dev.' }
const GROUPS: readonly { group: MetricResult['group']; title: string; open: boolean }[] = [
  { group: 'default', title: 'Metrics', open: true },
  { group: 'power', title: 'Power efficiency', open: true },
  { group: 'spec-decode', title: 'Speculative decoding', open: true },
  { group: 'effective', title: 'Effective: over the whole time', open: false },
  { group: 'active', title: 'Active: while something was in flight', open: false },
  { group: 'usage', title: 'Usage as the server reported it', open: false },
  { group: 'http', title: 'HTTP timing', open: false },
  { group: 'none', title: 'Further metrics', open: false },
]

/** Every metric with its statistics, the main table open. Cells carry the exact value. */
export function metricTables(run: LoadedRun): Markup {
  const all = [...run.metrics.values()].toSorted((a, b) => (a.order ?? 1e9) - (b.order ?? 1e9))
  const { steady, absent } = run.about
  return html`<section id="metrics" aria-labelledby="metrics-title"><h2 id="metrics-title">Metrics</h2>
${GROUPS.map(({ group, title, open }) => {
    const metrics = all.filter((m) => m.group === group)
    return metrics.length === 0 ? '' : open ? html`${group === 'default' ? '' : html`<h3>${title}</h3>`}${metricTable(title, metrics)}` : html`<details><summary>${title} (${metrics.length})</summary>${metricTable(title, metrics)}</details>`
  })}
${steady ? html`<details><summary>Steady state: ${shown(steady.startSeconds)} to ${shown(steady.endSeconds)} s, without ramp-up and drain</summary>${metricTable('Steady state', [...steady.metrics.values()].toSorted((a, b) => (a.order ?? 1e9) - (b.order ?? 1e9)), 'steady')}</details>` : ''}
${absent.length > 0 ? html`<details><summary>Metrics without a value, and why (${absent.length})</summary><table><caption class="hidden">Metrics without a value</caption><thead><tr><th scope="col">Metric</th><th scope="col">Why</th></tr></thead><tbody>${absent.map(({ tag, reason }) => html`<tr><th scope="row"><code>${tag}</code></th><td>${reason}</td></tr>`)}</tbody></table></details>` : ''}
</section>`
}

function metricTable(title: string, metrics: readonly MetricResult[], scope = 'profiling'): Markup {
  const used = COLUMNS.filter((stat) => stat === 'avg' || metrics.some((m) => m[stat] !== undefined))
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}, table"><table class="sortable"><caption class="hidden">${title}</caption>
<thead><tr><th scope="col">Metric</th>${used.map((stat) => html`<th scope="col" class="number">${HEADS[stat] ?? stat}</th>`)}</tr></thead>
<tbody>${metrics.map((m) => html`<tr><th scope="row">${sentence(m.header)}${unitText(m.unit) === '' ? '' : html` <span class="unit">${unitText(m.unit)}</span>`}</th>${used.map((stat) => cell(m, stat, scope))}</tr>`)}</tbody></table></div>`
}

function cell(metric: MetricResult, stat: (typeof COLUMNS)[number], scope: string): Markup {
  const value = metric[stat]
  const needed = metric.withheld?.[stat]
  if (needed !== undefined) return html`<td class="number absent" title="${`This sample cannot carry it: ${shown(needed)} values are needed`}">n&lt;${shown(needed)}</td>`
  if (value === undefined) return html`<td class="number absent">–</td>`
  const interval = metric.intervals?.[stat]
  return html`<td class="number" data-scope="${scope}" data-tag="${metric.tag}" data-stat="${stat}" data-value="${value}"${interval ? html` title="95 % confidence interval: ${shown(interval[0])} to ${shown(interval[1])}"` : ''}>${shown(value)}</td>`
}
