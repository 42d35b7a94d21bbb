import type { TelemetryLine } from '@aiperf/core'
import { telemetryRows, within } from '../figure/series-data.js'
import { unitText } from '@aiperf/core/numbers'
import { quantile } from '../figure/quantiles.js'
import { html, type Markup } from './markup.js'
import { shown } from './numbers.js'
import type { PageLine } from './page-data.js'

const MOST_ROWS = 80
const MOST_LINES = 60
/** Series that say most of a server under load come first. */
const FIRST = [/running/i, /waiting|queue/i, /cache_usage|token_usage/i, /gpu_util|gfx_activity/i, /power/i, /memory_used/i]
const rank = (name: string): number => {
  const at = FIRST.findIndex((pattern) => pattern.test(name))
  return at < 0 ? FIRST.length : at
}

/** What was sampled beside the run: one row per series, over the time of the requests. */
export function telemetrySection(lines: readonly TelemetryLine[], end: number): Markup | string {
  const rows = lines.flatMap((line) => {
    const samples = within(line, end)
    if (samples.length === 0) return []
    const sorted = Float64Array.from(samples, ({ v }) => v).sort()
    return [{ line, mean: meanOverTime(samples), min: sorted[0]!, p50: quantile(sorted, 0.5), max: sorted.at(-1)!, count: samples.length }]
  })
  if (rows.length === 0) return ''
  const moving = rows.filter((row) => row.min !== row.max)
  const shownRows = [...moving, ...rows.filter((row) => row.min === row.max)].slice(0, MOST_ROWS)
  const number = (value: number): Markup => html`<td class="number" data-value="${value}">${shown(value)}</td>`
  return html`<section id="telemetry" aria-labelledby="telemetry-title"><h2 id="telemetry-title">Server and GPUs</h2><p class="about">Samples taken while requests were in flight; counters as growth per second.${rows.length > shownRows.length ? ` ${shownRows.length} of ${rows.length} series.` : ''}</p>
<details${moving.length <= 12 ? html` open` : ''}><summary>${shownRows.length} series</summary><div class="scroll" tabindex="0" role="region" aria-label="Telemetry, table"><table class="sortable"><caption class="hidden">Telemetry</caption>
<thead><tr><th scope="col">Series</th><th scope="col">Where</th>${['mean', 'min', 'p50', 'max', 'samples'].map((h) => html`<th scope="col" class="number">${h}</th>`)}</tr></thead>
<tbody>${shownRows.map(({ line, mean, min, p50, max, count }) => html`<tr><th scope="row">${line.header}${line.header.startsWith(line.name) || line.source !== 'server_metrics' ? '' : html` <code>${line.name}</code>`}${line.unit === '' ? '' : html` <span class="unit">${unitText(line.unit)}</span>`}</th><td>${[line.subject, line.target].filter(Boolean).join(' · ')}</td>${[mean, min, p50, max, count].map(number)}</tr>`)}</tbody></table></div></details></section>`
}

/** Each sample counts for the time until the next, between which the value changes evenly. */
function meanOverTime(samples: readonly { t: number; v: number }[]): number {
  const [first, last] = [samples[0]!, samples.at(-1)!]
  if (last.t === first.t) return first.v
  return samples.slice(1).reduce((sum, { t, v }, i) => sum + ((v + samples[i]!.v) / 2) * (t - samples[i]!.t), 0) / (last.t - first.t)
}

/** The series that a page draws: those that moved, the telling ones first, down-sampled. */
export function pageLines(lines: readonly TelemetryLine[], end: number): PageLine[] {
  const moving = lines.filter((line) => line.values.some((v) => v !== line.values[0]) && line.seconds.some((t) => t >= 0 && t <= end))
  const ordered = moving.toSorted((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name)).slice(0, MOST_LINES)
  return ordered.map((line) => {
    const alike = ordered.filter((other) => other.name === line.name)
    const rows = telemetryRows([line], end, { windowSeconds: Math.max(1, end / 200), aggregation: 'mean' })
    const differing = line.header.match(/\{(.*)\}$/)?.[1] ?? ''
    const label = alike.length === 1 ? '' : [line.subject, new Set(alike.map((l) => l.target)).size > 1 ? line.target : undefined, differing].filter(Boolean).join(' · ')
    return { name: `${line.source} ${line.name}`, header: line.header.replace(/ \{.*\}$/, ''), label, unit: unitText(line.unit), t: rows.map((r) => r.t), v: rows.map((r) => r.v) }
  })
}
