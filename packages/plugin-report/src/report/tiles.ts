import type { MetricResult, Statistics } from '@aiperf/core'
import { unitText } from '@aiperf/core/numbers'
import type { LoadedRun } from '../runs/loaded.js'
import { html, type Markup } from './markup.js'
import { percent, shown } from './numbers.js'

/** The numbers that people quote. */
export function tilesSection(run: LoadedRun): Markup {
  const { metrics } = run
  const value = (tag: string): number | undefined => metrics.get(tag)?.avg
  const succeeded = value('request_count') ?? 0
  const failed = value('error_request_count') ?? run.about.errors.reduce((sum, e) => sum + e.count, 0)
  const single = (title: string, tag: string): Markup | string => {
    const metric = metrics.get(tag)
    return metric?.avg === undefined ? '' : tile(title, html`<b data-tag="${tag}" data-stat="avg" data-value="${metric.avg}">${shown(metric.avg)}</b> <span>${unitText(metric.unit)}</span>`)
  }
  const spread = (title: string, tag: string): Markup | string => {
    const metric = metrics.get(tag)
    return metric?.p50 === undefined ? '' : tile(title, html`<b data-tag="${tag}" data-stat="p50" data-value="${metric.p50}">${shown(metric.p50)}</b> <span>${metric.unit} p50</span>`, html`${percentile(metric, tag, 'p90')} ${percentile(metric, tag, 'p99')}`)
  }
  return html`<section id="headline" aria-label="Headline numbers"><div class="tiles">
${tile('Requests', html`<b>${shown(succeeded)}</b> <span>succeeded</span>`, html`<span class="${failed > 0 ? 'bad' : ''}">${shown(failed)} failed${failed > 0 ? ` (${percent(failed, failed + succeeded)})` : ''}</span>`)}
${single('Request throughput', 'request_throughput')}${single('Output tokens', 'output_token_throughput')}${single('Goodput', 'goodput')}
${spread('Time to first token', 'time_to_first_token')}${spread('Inter token latency', 'inter_token_latency')}${spread('Request latency', 'request_latency')}${spread('Response time', 'response_time')}
</div></section>`
}

const tile = (title: string, main: Markup, below: Markup | string = ''): Markup => html`<div class="tile"><h2>${title}</h2><p>${main}</p>${below === '' ? '' : html`<p class="below">${below}</p>`}</div>`

function percentile(metric: MetricResult, tag: string, stat: 'p90' | 'p99'): Markup | string {
  const needed = metric.withheld?.[stat as keyof Statistics]
  if (needed !== undefined) return html`<span title="${`This sample cannot carry it: ${shown(needed)} values are needed`}">${stat} n&lt;${shown(needed)}</span>`
  return metric[stat] === undefined ? '' : html`<span>${stat} <span data-tag="${tag}" data-stat="${stat}" data-value="${metric[stat]}">${shown(metric[stat])}</span></span>`
}
