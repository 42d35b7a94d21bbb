import type { JsonObject } from '@aiperf/core'
import { severalTurns, type RunSummary } from '../figure/summary.js'
import type { LoadedRun } from '../runs/loaded.js'
import { html, type Markup } from './markup.js'
import { duration, percent, shown } from './numbers.js'

const ROWS = 15

/** The errors of failed requests, most frequent first. */
export function errorsSection(run: LoadedRun): Markup | string {
  const { errors } = run.about
  const total = errors.reduce((sum, e) => sum + e.count, 0)
  if (total === 0) return ''
  return html`<section id="errors" aria-labelledby="errors-title"><h2 id="errors-title">Errors</h2><div class="scroll" tabindex="0" role="region" aria-label="Errors, table"><table class="sortable"><caption class="hidden">Errors of failed requests</caption>
<thead><tr><th scope="col">Error</th><th scope="col" class="number">Code</th><th scope="col">Message</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Share of failures</th></tr></thead>
<tbody>${errors.toSorted((a, b) => b.count - a.count).map((e) => html`<tr><th scope="row">${e.type}</th><td class="number"${e.code === undefined ? '' : html` data-value="${e.code}"`}>${e.code ?? '–'}</td><td class="message">${e.message}</td><td class="number" data-value="${e.count}">${shown(e.count)}</td><td class="number" data-value="${e.count / total}">${percent(e.count, total)}</td></tr>`)}</tbody></table></div></section>`
}

/** The largest requests, to be followed up in the per-request files. */
export function slowestSection({ points, metrics }: RunSummary): Markup | string {
  const main = metrics.find((m) => m.tag === 'request_latency') ?? metrics[0]
  if (!main) return ''
  const values = points.values[main.tag]!
  const turns = severalTurns(points)
  const chosen = points.n.map((_, k) => k).filter((k) => values[k] !== null).sort((a, b) => values[b]! - values[a]!).slice(0, ROWS)
  const number = (value: number | null): Markup => html`<td class="number"${value === null ? '' : html` data-value="${value}"`}>${shown(value ?? undefined)}</td>`
  return html`<section id="slowest" aria-labelledby="slowest-title"><h2 id="slowest-title">Slowest requests</h2><div class="scroll" tabindex="0" role="region" aria-label="Slowest requests, table"><table id="slowest-table" class="sortable"><caption>Requests with the largest ${main.title.replace(/ \([^)]*\)$/, '').toLowerCase()}</caption>
<thead><tr><th scope="col">Request</th><th scope="col" class="number">Start (s)</th>${metrics.map((m) => html`<th scope="col" class="number">${m.title}</th>`)}<th scope="col" class="number">In flight at its start</th><th scope="col" class="number">Session</th>${turns ? html`<th scope="col" class="number">Turn</th>` : ''}<th scope="col">Id</th></tr></thead>
<tbody>${chosen.map((k) => html`<tr><th scope="row">${shown(points.n[k])}</th>${number(points.start[k]!)}${metrics.map((m) => number(points.values[m.tag]![k]!))}${number(points.inFlight[k]!)}${number(points.session[k]!)}${turns ? number(points.turn[k]!) : ''}<td class="id">${points.id[k]}</td></tr>`)}</tbody></table></div></section>`
}

const COUNTS: readonly (readonly [string, string])[] = [['due', 'due'], ['sent', 'sent'], ['skipped', 'dropped'], ['unsent', 'never reached'], ['completed', 'ended'], ['errors', 'failed'], ['cancelled', 'cancelled'], ['censored', 'unfinished'], ['retried', 'sent again']]

export function phasesSection(run: LoadedRun): Markup | string {
  const { phases } = run.about
  if (phases.length === 0) return ''
  const used = COUNTS.filter(([key]) => ['sent', 'completed', 'errors'].includes(key) || phases.some((p) => (p.counts[key] ?? 0) > 0))
  return html`<section id="phases" aria-labelledby="phases-title"><h2 id="phases-title">Phases</h2><div class="scroll" tabindex="0" role="region" aria-label="Phases, table"><table><caption class="hidden">Phases of the run</caption>
<thead><tr><th scope="col">Phase</th><th scope="col">Kind</th><th scope="col">Timing</th><th scope="col" class="number">Length</th>${used.map(([, name]) => html`<th scope="col" class="number">${name}</th>`)}<th scope="col">Ended by</th></tr></thead>
<tbody>${phases.map((p) => html`<tr><th scope="row">${p.name}</th><td>${p.kind}</td><td>${p.mode}</td><td class="number">${duration(p.seconds)}</td>${used.map(([key]) => html`<td class="number">${shown(p.counts[key])}</td>`)}<td>${p.endedBy}</td></tr>`)}</tbody></table></div></section>`
}

/** Everything needed to judge and repeat the run. */
export function manifestSection(run: LoadedRun): Markup {
  const { command, notices, manifest } = run.about
  const parts = Object.entries(manifest).filter(([key, value]) => typeof value === 'object' && value !== null && !['phases', 'notices'].includes(key))
  const rest = Object.fromEntries(Object.entries(manifest).filter(([, value]) => typeof value !== 'object' || value === null))
  return html`<section id="manifest" aria-labelledby="manifest-title"><h2 id="manifest-title">How it was measured</h2>
${command === undefined ? '' : html`<pre class="command" tabindex="0"><code>${command}</code></pre>`}
${notices.length > 0 ? html`<ul class="notices">${notices.map((n) => html`<li>${n}</li>`)}</ul>` : ''}
${Object.keys(rest).length > 0 ? block('Run', rest) : ''}${parts.map(([key, value]) => block(TITLES[key] ?? key, value as JsonObject))}
</section>`
}

const TITLES: Record<string, string> = { options: 'Every option, resolved', explicitOptions: 'Options that were set', plugins: 'Packages', dataset: 'Dataset', tokenizer: 'Tokenizer', host: 'Machine of the client', endpoint: 'Endpoint', client: 'What the client itself was up to', calibration: 'The client measured beforehand', sweep: 'Point of the sweep' }
const block = (title: string, value: unknown): Markup => html`<details><summary>${title}</summary><pre tabindex="0">${JSON.stringify(value, undefined, 2)}</pre></details>`
