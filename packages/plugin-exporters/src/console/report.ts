import type { ConsoleTable, PhaseResult, RunResult } from '@aiperf/core'
import { readable } from '@aiperf/core/numbers'
import { requestCounts } from '../summary/counts.js'
import { headline } from './headline.js'
import { acceptanceLine, cell, metricTables } from './metric-tables.js'
import { style as styleOf, type Style } from './style.js'
import { renderTable, type Table } from './table.js'
import { oneLine, wrap } from './text.js'

export interface ReportOptions {
  columns: number
  color: boolean
  /** All groups of metrics, confidence intervals, every reason why a metric is absent. */
  verbose: boolean
}

const LEAST_COLUMNS = 40

/** What is shown of a finished run: verdict and headline, metric tables, tables of plugins, errors, what is missing. */
export function report(run: RunResult, options: ReportOptions): string {
  const style = styleOf(options.color)
  const width = Math.max(LEAST_COLUMNS, options.columns)
  const tables = requestCounts(run.profiling).succeeded > 0 ? metricTables(run, run.profiling, { width, style, verbose: options.verbose }) : []
  const parts = [
    headline(run, width, style, options.verbose),
    run.manifest.notices.map((notice) => paragraph(notice, width, style.warn('! '), 2)).join(''),
    ...tables.map((table) => renderTable(table, width, style)),
    paragraph(acceptanceLine(run.profiling), width, '', 0),
    tables.length > 0 ? withheldNote(run.profiling, style) : '',
    renderTable(phaseTable(run), width, style),
    renderTable(errorTable(run.profiling), width, style),
    ...(run.additions.tables ?? []).map((table) => addedTable(table, width, style)),
    absentNote(run, width, style, options.verbose),
  ]
  return `\n${parts.filter((part) => part !== '').join('\n')}`
}

function paragraph(text: string, width: number, mark: string, indent: number): string {
  if (text === '') return ''
  return wrap(oneLine(text), width - indent).map((line, i) => `${i === 0 ? mark : ' '.repeat(indent)}${line}\n`).join('')
}

function withheldNote(phase: PhaseResult, style: Style): string {
  const withheld = [...phase.metrics.values()].some((metric) => metric.group === 'default' && metric.withheld !== undefined && Object.keys(metric.withheld).length > 0)
  return withheld ? `${style.dim('n<K: too few values for this percentile, it takes K')}\n` : ''
}

function addedTable(added: ConsoleTable, width: number, style: Style): string {
  const table: Table = {
    title: added.title,
    columns: added.columns.map((header, i) => ({ header, align: i === 0 ? 'left' : 'right', ...(i === 0 ? { shrinkTo: 20 } : { dropOrder: i }) })),
    rows: added.rows.map((row) => added.columns.map((_, i) => (typeof row[i] === 'number' ? readable(row[i]) : row[i]) || '–')),
  }
  const lines = (texts: readonly string[] = []) => texts.map((text) => `${text}\n`).join('')
  return lines(added.before) + renderTable(table, width, style) + lines(added.after)
}

/** The profiling phases side by side, when there are several. */
function phaseTable(run: RunResult): Table {
  const phases = run.phases.filter((phase) => phase.info.kind === 'profiling')
  const shown = (phase: PhaseResult, tag: string, name: 'avg' | 'p50' | 'p99') => {
    const metric = phase.metrics.get(tag)
    return (metric && cell(metric, name)) || '–'
  }
  return {
    title: 'AIPerf | Phases',
    columns: ['Phase', 'Requests', 'Failed', 'requests/s', 'TTFT p50', 'TTFT p99', 'Latency p50', 'Latency p99'].map((header, i) => ({ header, align: i === 0 ? 'left' : 'right', ...(i === 0 ? { shrinkTo: 12 } : i > 3 ? { dropOrder: i } : {}) })),
    rows: phases.length < 2 ? [] : phases.map((phase) => {
      const { succeeded, failed } = requestCounts(phase)
      return [phase.info.name, readable(succeeded), readable(failed), shown(phase, 'request_throughput', 'avg'), shown(phase, 'time_to_first_token', 'p50'), shown(phase, 'time_to_first_token', 'p99'), shown(phase, 'request_latency', 'p50'), shown(phase, 'request_latency', 'p99')]
    }),
  }
}

function errorTable({ errors }: PhaseResult): Table {
  return {
    title: 'AIPerf | Error Summary',
    columns: [
      { header: 'Code', align: 'right' },
      { header: 'Type', align: 'left', shrinkTo: 14 },
      { header: 'Message', align: 'left', shrinkTo: 20 },
      { header: 'Count', align: 'right' },
    ],
    rows: errors
      .toSorted((a, b) => b.count - a.count)
      .map(({ error, count }) => [error.code === undefined ? '–' : String(error.code), oneLine(error.type), oneLine(error.message), readable(count)]),
  }
}

/** Metrics a person looks for, in words: their absence is always explained. */
const EXPECTED: Record<string, string> = {
  time_to_first_token: 'Time to First Token',
  inter_token_latency: 'Inter Token Latency',
  request_latency: 'Request Latency',
  output_sequence_length: 'Output Sequence Length',
  input_sequence_length: 'Input Sequence Length',
  request_throughput: 'Request Throughput',
  output_token_throughput: 'Output Token Throughput',
}

function absentNote(run: RunResult, width: number, style: Style, verbose: boolean): string {
  const reasons = new Map<string, string[]>()
  let others = 0
  for (const { tag, reason } of run.profiling.absent) {
    const name = EXPECTED[tag] ?? (verbose ? tag : undefined)
    if (name === undefined) others++
    else {
      const root = reason.replace(/^(needs [^:]+: )+/, '')
      reasons.set(root, [...(reasons.get(root) ?? []), name])
    }
  }
  const groups = [...reasons].map(([reason, names]) => `${names.join(', ')} (${oneLine(reason)})`)
  if (groups.length === 0) return ''
  if (others > 0) groups.push(`${readable(others)} more, see "absent" in the JSON summary`)
  return wrap(`Not measured: ${groups.join('; ')}.`, width).map((line) => `${style.dim(line)}\n`).join('')
}
