import type { LoadedRun } from '../runs/loaded.js'
import { html, type Markup } from './markup.js'
import { duration } from './numbers.js'
import { verdictName } from './verdict-name.js'

const MARKS = { invalid: '✗', suspect: '!', note: '·' } as const
const LEVELS = { invalid: 'Invalid', suspect: 'Suspect', note: 'Note' } as const

/** First of all: can this be trusted, and what was measured. */
export function verdictSection(run: LoadedRun, title: string): Markup {
  const { about } = run
  const { verdict } = about
  const state = verdict?.verdict ?? 'none'
  return html`<section id="verdict" class="verdict ${state}" aria-labelledby="title">
<h1 id="title">${title}</h1>
<p class="line"><span class="badge ${state}">${verdictName(state)}</span>
<span>${!verdict ? `${about.program} says nothing of whether its results can be trusted.` : verdict.reasons.length === 0 ? 'Nothing speaks against this result.' : ''}</span></p>
${partial(run)}
${verdict && verdict.reasons.length > 0 ? html`<ul class="reasons">${verdict.reasons.map((r) => html`<li class="${r.level}"><span class="mark" aria-hidden="true">${MARKS[r.level]}</span><span class="hidden">${LEVELS[r.level]}: </span>${r.message.replace(/^[a-z]/, (c) => c.toUpperCase())} <code>${r.code}</code></li>`)}</ul>` : ''}
<dl class="facts">${facts(run).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>`
}

function partial({ about }: LoadedRun): Markup | string {
  if (!about.complete) return html`<p class="partial"><b>Incomplete:</b> ${about.incompleteReason ?? 'the run did not reach its end'}. What was measured until then is here.</p>`
  return about.wasCancelled ? html`<p class="partial"><b>Interrupted.</b> What was measured until then is here.</p>` : ''
}

function facts({ about, facts: f, directory }: LoadedRun): [string, string][] {
  const { endpoint } = about
  const load = [f['concurrency'] === undefined ? '' : `concurrency ${String(f['concurrency'])}`, f['request_rate'] === undefined ? '' : `${String(f['request_rate'])} requests/s`, f['users'] === undefined ? '' : `${String(f['users'])} users`].filter(Boolean).join(', ')
  const rows: [string, string][] = [
    ['Model', endpoint.models.join(', ')],
    ['Endpoint', [endpoint.type + (endpoint.streaming ? ', streaming' : ''), endpoint.urls.join(', ')].filter(Boolean).join(' · ')],
    ['Load', load],
    ['Started', about.startTime?.replace('T', ' ').replace(/\.\d+/, '').replace(/Z$/, ' UTC') ?? ''],
    ['Window of rates', about.windowSeconds === undefined ? '' : duration(about.windowSeconds)],
    ['Measured with', about.program],
    ['Folder', directory],
  ]
  return rows.filter(([, value]) => value !== '')
}
