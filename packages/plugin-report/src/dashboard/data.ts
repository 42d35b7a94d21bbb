import type { RunPageData } from '../report/page-data.js'

/** A run in the list of the dashboard. */
export interface ListedRun {
  id: number
  label: string
  name: string
  directory: string
  verdict: string
  reasons: string[]
  facts: Record<string, string | number | boolean>
  /** Metrics of the list's table: tag, title, value. */
  headline: { tag: string; stat: string; title: string; value: number }[]
}

/** A plot that can be asked for. */
export interface ListedPlot {
  name: string
  title: string
  scope: 'run' | 'runs' | 'any'
  usual: boolean
}

export interface DashboardData {
  kind: 'dashboard'
  runs: ListedRun[]
  plots: ListedPlot[]
}

/** What the server gives of one run: every request, to be filtered on the page. */
export type RunAnswer = RunPageData
