import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { MetricResult, Statistics } from '@aiperf/core'
import { unitText } from '@aiperf/core/numbers'
import { sentence } from '../figure/measure.js'
import { counted } from '../figure/rows.js'
import { differingFacts } from '../runs/label.js'
import type { LoadedRun } from '../runs/loaded.js'
import { comparisonData } from './comparison-data.js'
import { html, type Markup } from './markup.js'
import { duration, shown } from './numbers.js'
import { badge, pointsTable } from './points-table.js'
import { shell } from './shell.js'

/** The report of several runs: the points compared, in one file. */
export async function comparisonReport(runs: readonly LoadedRun[], file: string, theme?: 'light' | 'dark'): Promise<string> {
  const models = [...new Set(runs.map((run) => String(run.facts['model'] ?? '')))].filter(Boolean)
  const varied = differingFacts(runs).filter((key) => key !== 'model')
  const title = `${models.length === 1 ? models[0] : counted(runs.length, 'run')}${varied.length > 0 ? `: ${varied.map((key) => key.replaceAll('_', ' ')).join(', ')} compared` : ' compared'}`
  const sections: [id: string, text: string, section: Markup | string][] = [
    ['verdict', 'Verdict', verdictSection(runs, title)],
    ['points', 'Points', html`<section id="points" aria-labelledby="points-title"><h2 id="points-title">Points</h2><div id="points-tools"></div>${pointsTable(runs)}</section>`],
    ['charts', 'Charts', html`<section id="charts" aria-labelledby="charts-title"><h2 id="charts-title">Charts</h2><div id="charts-body"><p class="wait">The charts are drawn by the page's script, which has not run here. Mail programs often keep it from running: open the file in a browser.</p></div></section>`],
    ['runs', 'Runs', runsSection(runs, file)],
    ['metrics', 'Metrics', metricsSection(runs)],
    ['errors', 'Errors', errorsSection(runs)],
    ['manifest', 'Manifest', manifestSection(runs)],
  ]
  return shell({
    title: `${title} – AIPerf report`,
    code: 'main',
    nav: sections.filter(([, , section]) => section !== '').map(([id, text]) => ({ id, text })),
    body: html`${sections.map(([, , section]) => section)}`,
    data: await comparisonData(runs),
    ...(theme === undefined ? {} : { theme }),
    footer: [...new Set(runs.map((run) => run.about.program))].join(', '),
  })
}

function verdictSection(runs: readonly LoadedRun[], title: string): Markup {
  const by = (v: string): number => runs.filter((run) => (run.about.verdict?.verdict ?? 'none') === v).length
  const worst = ['invalid', 'suspect', 'none', 'valid'].find((v) => by(v) > 0) ?? 'none'
  const sentences = [
    by('invalid') > 0 ? `${counted(by('invalid'), 'run is', 'runs are')} invalid: what they show is the client, or too little. They never count as best.` : '',
    by('suspect') > 0 ? `${counted(by('suspect'), 'run is', 'runs are')} suspect.` : '',
    ...differences(runs),
  ].filter(Boolean)
  return html`<section id="verdict" class="verdict ${worst}" aria-labelledby="title"><h1 id="title">${title}</h1>
<p class="line">${(['valid', 'suspect', 'invalid', 'none'] as const).filter((v) => by(v) > 0).map((v) => html`<span class="badge ${v}">${by(v)} ${v === 'none' ? 'without verdict' : v}</span>`)}</p>
${sentences.length > 0 ? html`<ul class="reasons">${sentences.map((s) => html`<li class="${s.includes('invalid') ? 'invalid' : 'suspect'}"><span class="mark" aria-hidden="true">!</span>${s}</li>`)}</ul>` : ''}
<dl class="facts">${facts(runs).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`
}

/** What makes runs hard to compare. */
function differences(runs: readonly LoadedRun[]): string[] {
  const several = (of: (run: LoadedRun) => string): string[] => [...new Set(runs.map(of))].filter(Boolean)
  const programs = several((run) => run.about.program)
  const endpoints = several((run) => run.about.endpoint.type)
  return [
    programs.length > 1 ? `Measured with ${programs.join(' and ')}.` : '',
    endpoints.length > 1 ? `Of different endpoint types: ${endpoints.join(', ')}.` : '',
    runs.some((run) => !run.about.complete) ? `${counted(runs.filter((run) => !run.about.complete).length, 'run did', 'runs did')} not reach the end.` : '',
  ].filter(Boolean)
}

function facts(runs: readonly LoadedRun[]): [string, string][] {
  const list = (of: (run: LoadedRun) => readonly string[]): string => [...new Set(runs.flatMap(of))].filter(Boolean).join(', ')
  const points = new Set(runs.map((run) => run.point)).size
  const rows: [string, string][] = [
    ['Model', list((run) => run.about.endpoint.models)],
    ['Endpoint', list((run) => [[run.about.endpoint.type, ...run.about.endpoint.urls].filter(Boolean).join(' · ')])],
    ['Points', points === runs.length ? shown(points) : `${shown(points)}, ${counted(runs.length, 'run')}`],
    ['Varied', differingFacts(runs).map((key) => key.replaceAll('_', ' ')).join(', ')],
    ['Measured with', list((run) => [run.about.program])],
  ]
  return rows.filter(([, value]) => value !== '')
}

function runsSection(runs: readonly LoadedRun[], file: string): Markup {
  return html`<section id="runs" aria-labelledby="runs-title"><h2 id="runs-title">Runs</h2><div class="scroll" tabindex="0" role="region" aria-label="Runs, table"><table class="sortable"><caption class="hidden">The single runs</caption>
<thead><tr><th scope="col">Run</th><th scope="col">Verdict</th><th scope="col">Why</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Window</th><th scope="col">Started</th><th scope="col">Folder</th></tr></thead>
<tbody>${runs.map((run) => html`<tr><th scope="row">${run.label}</th><td>${badge(run.about.verdict?.verdict ?? 'none')}</td><td class="message">${run.about.verdict?.reasons.filter((r) => r.level !== 'note').map((r) => r.message).join('; ') ?? ''}${run.about.complete ? '' : ` Incomplete: ${run.about.incompleteReason ?? ''}`}</td><td class="number">${shown(run.metrics.get('request_count')?.avg)}</td><td class="number">${duration(run.about.windowSeconds)}</td><td><time>${run.about.startTime?.slice(0, 19).replace('T', ' ') ?? ''}</time></td><td>${folderLink(run, file)}</td></tr>`)}</tbody></table></div></section>`
}

/** The run's own report, where it has one, by a path that holds as long as the folders stay together. */
function folderLink(run: LoadedRun, file: string): Markup | string {
  const to = relative(dirname(file), run.directory).replaceAll('\\', '/') || '.'
  return existsSync(join(run.directory, 'report.html')) ? html`<a href="${encodeURI(`${to}/report.html`)}">${to}</a>` : to
}

const STATS = ['avg', 'p50', 'p99'] as const satisfies readonly (keyof Statistics)[]
const MOST_COLUMNS = 16

/** Groups of metrics that stand open; the others are folded away. */
const MAIN = new Set(['default', 'power', 'spec-decode'])

function metricsSection(runs: readonly LoadedRun[]): Markup {
  const shownRuns = runs.slice(0, MOST_COLUMNS)
  const all = [...new Map(runs.flatMap((run) => [...run.metrics.values()]).map((m) => [m.tag, m])).values()].toSorted((a, b) => (a.order ?? 1e9) - (b.order ?? 1e9))
  const main = all.filter((m) => MAIN.has(m.group))
  const others = all.filter((m) => !MAIN.has(m.group))
  return html`<section id="metrics" aria-labelledby="metrics-title"><h2 id="metrics-title">Every metric</h2>${runs.length > shownRuns.length ? html`<p class="about">The first ${shownRuns.length} of ${runs.length} runs; the others have theirs in their own folders.</p>` : ''}
${STATS.map((stat) => metricsTable(shownRuns, main, stat, TITLES[stat], stat === 'avg'))}${STATS.map((stat) => metricsTable(shownRuns, others, stat, `Further metrics: ${TITLES[stat].toLowerCase()}`, false))}</section>`
}

const TITLES = { avg: 'Means and totals', p50: 'Medians', p99: '99th percentiles' } as const

function metricsTable(runs: readonly LoadedRun[], metrics: readonly MetricResult[], stat: (typeof STATS)[number], title: string, open: boolean): Markup | string {
  const rows = metrics.filter((m) => runs.some((run) => run.metrics.get(m.tag)?.[stat] !== undefined))
  if (rows.length === 0) return ''
  const cell = (run: LoadedRun, tag: string): Markup => {
    const value = run.metrics.get(tag)?.[stat]
    return value === undefined ? html`<td class="number absent">–</td>` : html`<td class="number" data-run="${run.label}" data-tag="${tag}" data-stat="${stat}" data-value="${value}">${shown(value)}</td>`
  }
  return html`<details${open ? html` open` : ''}><summary>${title}</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}, table"><table class="sortable"><caption class="hidden">${title}</caption><thead><tr><th scope="col">Metric</th>${runs.map((run) => html`<th scope="col" class="number">${run.label}</th>`)}</tr></thead>
<tbody>${rows.map((m) => html`<tr><th scope="row">${sentence(m.header)} <span class="unit">${unitText(m.unit)}</span></th>${runs.map((run) => cell(run, m.tag))}</tr>`)}</tbody></table></div></details>`
}

function errorsSection(runs: readonly LoadedRun[]): Markup | string {
  const rows = runs.flatMap((run) => run.about.errors.map((error) => ({ run, error })))
  if (rows.length === 0) return ''
  return html`<section id="errors" aria-labelledby="errors-title"><h2 id="errors-title">Errors</h2><div class="scroll" tabindex="0" role="region" aria-label="Errors, table"><table class="sortable"><caption class="hidden">Errors of failed requests by run</caption><thead><tr><th scope="col">Run</th><th scope="col">Error</th><th scope="col">Message</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>${rows.map(({ run, error }) => html`<tr><th scope="row">${run.label}</th><td>${error.type}</td><td class="message">${error.message}</td><td class="number" data-value="${error.count}">${shown(error.count)}</td></tr>`)}</tbody></table></div></section>`
}

function manifestSection(runs: readonly LoadedRun[]): Markup {
  return html`<section id="manifest" aria-labelledby="manifest-title"><h2 id="manifest-title">How they were measured</h2>
${runs.map((run) => html`<details><summary>${run.label}</summary>${run.about.command === undefined ? '' : html`<pre class="command" tabindex="0"><code>${run.about.command}</code></pre>`}<pre tabindex="0">${JSON.stringify(run.about.manifest['explicitOptions'] ?? run.about.manifest, undefined, 2)}</pre></details>`)}</section>`
}
