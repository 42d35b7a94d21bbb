import type { DashboardData, ListedRun } from '../src/dashboard/data.js'
import { shown } from '../src/report/numbers.js'
import type { ComparisonPageData, RunPageData } from '../src/report/page-data.js'
import { verdictName } from '../src/report/verdict-name.js'
import { mountComparison } from './comparison-page.js'
import { byId, el, pageData } from './dom.js'
import { filterBar, filtered, NO_FILTER, type RequestFilter } from './filters.js'
import { plotGrid } from './plot-grid.js'
import { requestTable } from './request-table.js'
import { mountRun } from './run-page.js'
import { sortable } from './tables.js'
import { forgetListeners, onTheme, startTheme } from './theme.js'

const TABS = [['overview', 'Overview'], ['plots', 'Plots'], ['requests', 'Requests'], ['runs', 'Runs']] as const
type Tab = (typeof TABS)[number][0]
/** More are not chosen at first: the comparison stays readable, and fast. */
const MOST_CHOSEN = 40

async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as T
}

class Dashboard {
  readonly #data: DashboardData
  readonly #list = el('div', { class: 'runs' })
  readonly #panel = el('div', { id: 'panel', role: 'tabpanel', 'aria-live': 'off' })
  readonly #tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' })
  readonly #runData = new Map<number, Promise<RunPageData>>()
  #chosen: Set<number>
  #tab: Tab = 'overview'
  #search = ''
  #filter: RequestFilter = NO_FILTER
  #shown = 0

  constructor(data: DashboardData) {
    this.#data = data
    const hash = new URLSearchParams(location.hash.slice(1))
    const asked = (hash.get('runs') ?? '').split(',').filter((id) => /^\d+$/.test(id) && Number(id) < data.runs.length).map(Number)
    this.#chosen = new Set(asked.length > 0 ? asked : data.runs.slice(0, MOST_CHOSEN).map((run) => run.id))
    this.#tab = TABS.find(([tab]) => tab === hash.get('view'))?.[0] ?? 'overview'
  }

  mount(place: HTMLElement): void {
    const search = el('input', { type: 'search', placeholder: 'Find a run', 'aria-label': 'Find a run', input: () => {
      this.#search = search.value.toLowerCase()
      this.#fillList()
    } })
    const all = (on: boolean): void => {
      for (const run of this.#found) if (on) this.#chosen.add(run.id)
      else this.#chosen.delete(run.id)
      this.#changed()
    }
    place.replaceChildren(
      el('aside', { 'aria-label': 'Runs' }, el('h1', {}, `${this.#data.runs.length} ${this.#data.runs.length === 1 ? 'run' : 'runs'}`), search, el('div', { class: 'toolbar' }, el('button', { type: 'button', click: () => all(true) }, 'All'), el('button', { type: 'button', click: () => all(false) }, 'None')), this.#list),
      el('section', { class: 'content', 'aria-label': 'Results' }, this.#tabs, this.#panel),
    )
    this.#fillTabs()
    this.#changed()
  }

  get #found(): ListedRun[] {
    return this.#data.runs.filter((run) => `${run.label} ${run.directory} ${Object.values(run.facts).join(' ')}`.toLowerCase().includes(this.#search))
  }

  #fillList(): void {
    this.#list.replaceChildren(...this.#found.map((run) => {
      const box = el('input', { type: 'checkbox', checked: this.#chosen.has(run.id), change: () => {
        if (box.checked) this.#chosen.add(run.id)
        else this.#chosen.delete(run.id)
        this.#changed(false)
      } })
      return el('div', { class: 'run' }, el('label', { title: `${run.label}\n${run.directory}` }, box, el('span', {}, run.label)), mark(run), el('button', { type: 'button', class: 'only', 'aria-label': `Only ${run.label}`, click: () => {
        this.#chosen = new Set([run.id])
        this.#changed()
      } }, 'only'))
    }))
  }

  #fillTabs(): void {
    const choose = (tab: Tab): void => {
      this.#tab = tab
      this.#fillTabs()
      this.#show()
      byId(`tab-${tab}`)?.focus()
    }
    this.#tabs.replaceChildren(...TABS.map(([tab, title], i) => el('button', {
      type: 'button', role: 'tab', id: `tab-${tab}`, 'aria-selected': String(tab === this.#tab), 'aria-controls': 'panel', tabindex: tab === this.#tab ? 0 : -1,
      click: () => choose(tab),
      keydown: (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[(event as KeyboardEvent).key]
        if (by !== undefined) choose(TABS[(i + by + TABS.length) % TABS.length]![0])
      },
    }, title)))
    this.#panel.setAttribute('aria-labelledby', `tab-${this.#tab}`)
  }

  #changed(list = true): void {
    if (list) this.#fillList()
    this.#filter = NO_FILTER
    this.#show()
  }

  #show(): void {
    const ids = [...this.#chosen].sort((a, b) => a - b)
    history.replaceState(null, '', `#${new URLSearchParams({ runs: ids.join(','), view: this.#tab }).toString()}`)
    forgetListeners()
    onTheme(() => this.#tab === 'plots' && this.#show())
    const turn = ++this.#shown
    this.#panel.setAttribute('aria-busy', 'true')
    const slow = setTimeout(() => turn === this.#shown && this.#panel.replaceChildren(el('p', { class: 'nothing' }, 'Reading the runs …')), 400)
    void this.#made(ids).catch((error: Error) => el('p', { class: 'nothing' }, error.message)).then((content) => {
      // A slower answer to an earlier question is not wanted any more.
      clearTimeout(slow)
      if (turn !== this.#shown) return
      this.#panel.removeAttribute('aria-busy')
      this.#panel.replaceChildren(content)
      this.#panel.dataset['shown'] = `${this.#tab} ${ids.join(',')}`
    })
  }

  async #made(ids: readonly number[]): Promise<HTMLElement> {
    if (this.#tab === 'runs') return runsTable(this.#data.runs, this.#chosen)
    if (ids.length === 0) return el('p', { class: 'nothing' }, 'Choose runs on the left.')
    if (this.#tab === 'plots') return plotGrid(this.#data.plots, ids, fetchJson)
    const report = el('p', { class: 'take' }, el('a', { href: `report?runs=${ids.join(',')}`, download: true }, 'Save all of this as a report'))
    if (this.#tab === 'overview' && ids.length > 1) {
      const place = el('div')
      mountComparison(await fetchJson<ComparisonPageData>(`api/compare?runs=${ids.join(',')}`), place)
      return el('div', {}, report, place)
    }
    if (ids.length > 1) return el('p', { class: 'nothing' }, 'Choose one run to see its requests.')
    return this.#oneRun(ids[0]!, report)
  }

  async #oneRun(id: number, report: HTMLElement): Promise<HTMLElement> {
    const answer = this.#runData.get(id) ?? fetchJson<RunPageData>(`api/run?runs=${id}`)
    this.#runData.set(id, answer)
    const data = await answer
    if (data.requests.count === 0) return el('p', { class: 'nothing' }, 'Of this run there are no single requests.')
    const whole = data.requests.bins === undefined
    const requests = whole ? filtered(data.requests, this.#filter) : data.requests
    const bar = whole ? filterBar(data.requests, this.#filter, (filter) => {
      this.#filter = filter
      this.#show()
    }) : el('p', { class: 'notices' }, 'A run this long is summarised: its requests cannot be filtered.')
    if (this.#tab === 'requests') return el('div', {}, bar, requestTable(requests, `api/requests.csv?runs=${id}`))
    const place = el('div')
    // Percentiles of the tables are those of all requests.
    const quantiles = requests === data.requests ? data.quantiles : {}
    if (requests.count === 0 || requests.count === requests.failed) place.append(el('p', { class: 'nothing' }, requests.count === 0 ? 'No request passes the filter.' : 'No request that passes the filter succeeded.'))
    else mountRun({ ...data, requests, quantiles }, place)
    return el('div', {}, report, bar, place)
  }
}

const badge = (run: ListedRun): HTMLElement => el('span', { class: `badge small ${run.verdict}`, title: run.reasons.join('\n') }, verdictName(run.verdict))
const MARKS: Record<string, string> = { valid: '✓', suspect: '!', invalid: '✗', none: '?' }
/** The same where there is little room. */
const mark = (run: ListedRun): HTMLElement => el('span', { class: `badge small ${run.verdict}`, role: 'img', 'aria-label': verdictName(run.verdict), title: [verdictName(run.verdict), ...run.reasons].join('\n') }, MARKS[run.verdict] ?? '?')

function runsTable(runs: readonly ListedRun[], chosen: ReadonlySet<number>): HTMLElement {
  const rows = runs.filter((run) => chosen.has(run.id))
  const columns = [...new Map(rows.flatMap((run) => run.headline).map((h) => [`${h.tag} ${h.stat}`, h.title]))]
  const value = (run: ListedRun, key: string): number | undefined => run.headline.find((h) => `${h.tag} ${h.stat}` === key)?.value
  const table = el('table', { class: 'sortable', id: 'runs-table' },
    el('caption', { class: 'hidden' }, 'Runs'),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Run'), el('th', { scope: 'col' }, 'Verdict'), ...columns.map(([, title]) => el('th', { scope: 'col', class: 'number' }, title)), el('th', { scope: 'col' }, 'Folder'))),
    el('tbody', {}, ...rows.map((run) => el('tr', {}, el('th', { scope: 'row' }, run.label), el('td', {}, badge(run)), ...columns.map(([key]) => {
      const v = value(run, key)
      return el('td', { class: 'number', ...(v === undefined ? {} : { 'data-value': v }) }, shown(v))
    }), el('td', {}, run.directory)))),
  )
  sortable(table)
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs, table' }, table)
}

startTheme()
new Dashboard(pageData<DashboardData>()).mount(byId('dashboard')!)
document.documentElement.dataset['started'] = ''
