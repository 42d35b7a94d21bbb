import type { JsonObject } from '@aiperf/core'
import { figure } from '../search/console.js'
import { parameterNames } from '../search/points/names.js'
import { shown, type CellComparison, type Comparison, type Row } from './compare.js'

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const change = (row: Row): string => (row.isRatio ? `${row.ratio >= 1 ? '+' : '−'}${percent(Math.abs(row.ratio - 1))}` : figure(row.ratio))
const bounds = (row: Row): string => {
  if (!Number.isFinite(row.low)) return 'not known'
  const one = (v: number) => (row.isRatio ? `${v >= 1 ? '+' : '−'}${percent(Math.abs(v - 1))}` : figure(v))
  return `${one(row.low)} … ${one(row.high)}${row.covers === 'requests' ? ' (requests)' : ''}`
}
const pText = (row: Row): string => (row.pCorrected === undefined ? '–' : row.pCorrected < 0.001 ? '< 0.001' : row.pCorrected.toFixed(3))

/** The point's values as a person reads them. */
function title({ values }: CellComparison): string {
  const names = parameterNames(Object.keys(values))
  return Object.entries(values).map(([path, value]) => `${names.get(path)} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ')
}

const HEADER = (c: Comparison) => ['figure', 'unit', 'A', 'B', 'B against A', `${c.level * 100} % interval`, 'p (Holm)', 'verdict']
const cellsOf = (row: Row): string[] => [`${row.tag} ${row.stat}`, row.unit, figure(row.a), figure(row.b), change(row), bounds(row), pText(row), row.verdict]

function notes(c: Comparison): string[] {
  return [
    ...(c.singleRuns ? ['One run on a side: its interval covers the chance among its requests, not what differs from run to run; no test is possible. Use --num-profile-runs 3 or more.'] : []),
    ...c.obstacles.map((d) => `Compared in spite of: ${shown(d)}`),
    ...c.others.map((d) => `Differs: ${shown(d)}`),
    ...(c.unmatched.a.length > 0 ? [`Only in A: ${c.unmatched.a.join('; ')}`] : []),
    ...(c.unmatched.b.length > 0 ? [`Only in B: ${c.unmatched.b.join('; ')}`] : []),
    `"same": within ±${percent(c.band)}; "better" and "worse": beyond it, at a corrected p below ${(1 - c.level).toFixed(2)}.`,
  ]
}

/** For a terminal. */
export function compareText(c: Comparison): string {
  const parts = [`A: ${c.a}\nB: ${c.b}\n`]
  for (const cell of c.cells) {
    const rows = cell.rows.map(cellsOf)
    const header = HEADER(c)
    const width = header.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)))
    const line = (cells: readonly string[]) => `  ${cells.map((text, i) => (i < 2 || i === 7 ? text.padEnd(width[i]!) : text.padStart(width[i]!))).join('  ')}`.trimEnd()
    const name = title(cell)
    parts.push(`\n${name === '' ? '' : `${name}\n`}${[line(header), line(width.map((n) => '─'.repeat(n))), ...rows.map(line)].join('\n')}\n`)
  }
  return `${parts.join('')}\n${notes(c).map((note) => `  ${note}`).join('\n')}\n`
}

/** For a merge request. */
export function compareMarkdown(c: Comparison): string {
  const escape = (text: string) => text.replaceAll('|', '\\|')
  const table = (cell: CellComparison) => {
    const name = title(cell)
    const header = HEADER(c)
    return `${name === '' ? '' : `### ${name}\n\n`}| ${header.join(' | ')} |\n| ${header.map((_, i) => (i < 2 || i === 7 ? '---' : '---:')).join(' | ')} |\n${cell.rows.map((row) => `| ${cellsOf(row).map(escape).join(' | ')} |`).join('\n')}\n`
  }
  return `## ${c.b} against ${c.a}\n\n${c.cells.map(table).join('\n')}\n${notes(c).map((note) => `- ${note}`).join('\n')}\n`
}

/** For CI: a case per figure, failed where B is worse. */
export function compareJunit(c: Comparison): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const suites = c.cells.map((cell) => {
    const cases = cell.rows.map((row) => {
      const message = escape(`${change(row)} (${bounds(row)}), p ${pText(row)}`)
      const body = row.verdict === 'worse' ? `<failure message="${message}"/>` : row.verdict === 'inconclusive' ? `<skipped message="${message}"/>` : ''
      return `    <testcase classname="${escape(title(cell) || 'run')}" name="${escape(`${row.tag} ${row.stat}`)}">${body}</testcase>`
    })
    const count = (verdict: Row['verdict']) => cell.rows.filter((row) => row.verdict === verdict).length
    return `  <testsuite name="${escape(title(cell) || 'run')}" tests="${cell.rows.length}" failures="${count('worse')}" skipped="${count('inconclusive')}">\n${cases.join('\n')}\n  </testsuite>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="aiperf compare">\n${suites.join('\n')}\n</testsuites>\n`
}

/** For programs. */
export function compareJson(c: Comparison): JsonObject {
  const number = (v: number | undefined) => (v === undefined || !Number.isFinite(v) ? null : v)
  return {
    a: c.a, b: c.b, confidence_level: c.level, equivalence_band: c.band, single_runs: c.singleRuns,
    obstacles: c.obstacles.map((d) => ({ ...d })), differences: c.others.map((d) => ({ ...d })), unmatched: c.unmatched,
    points: c.cells.map((cell) => ({
      values: cell.values,
      runs: cell.runs,
      metrics: cell.rows.map((row) => ({
        metric: row.tag, stat: row.stat, unit: row.unit, a: row.a, b: row.b, kind: row.isRatio ? 'ratio' : 'difference', estimate: number(row.ratio), low: number(row.low), high: number(row.high),
        covers: row.covers, p: number(row.p), p_corrected: number(row.pCorrected), larger_is_better: row.largerIsBetter, verdict: row.verdict,
      })),
    })),
  }
}
