import type { AccuracyResult, ConsoleTable } from '@aiperf/core'

const OVERALL = 'OVERALL'
const percent = (share: number): string => `${(100 * share).toFixed(2)}%`

/** `accuracy_results.csv`: the reference's columns, then failed requests and the interval. */
export function accuracyCsv({ overall, tasks }: AccuracyResult): string {
  const number = (value: number | undefined): string => value?.toFixed(4) ?? ''
  const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const rows = [overall, ...tasks].map(({ task = OVERALL, graded, passed, unparsed, failed, rate, interval }) => [cell(task), passed, graded, unparsed, number(rate), failed, number(interval?.[0]), number(interval?.[1])])
  return [['task', 'correct', 'total', 'unparsed', 'accuracy', 'failed', 'accuracy_low', 'accuracy_high'], ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

/** Answers that a list shows, and how much of each text: a line of a terminal holds them. */
const LISTED = 200
const SHOWN = { gold: 20, text: 50 }

export async function accuracyTables(accuracy: AccuracyResult): Promise<ConsoleTable[]> {
  const { benchmark, grader, problems, answered, overall, tasks, verbose } = accuracy
  const after = [
    ...(overall.failed > 0 ? [`${overall.failed} request${overall.failed === 1 ? '' : 's'} failed: no answer, so neither right nor wrong; ${overall.graded} answers were graded.`] : []),
    ...(answered < problems ? [`${answered} of ${problems} problems were answered.`] : []),
    ...(overall.graded > answered ? [`Problems were asked several times: ${overall.graded} answers to ${answered} problems; the interval takes each answer for a new one.`] : []),
    ...(overall.graded > 0 && overall.unparsed === overall.graded ? [`No answer had the form that ${grader} expects: see model_output in accuracy_export.jsonl, and consider --accuracy-system-prompt or another --accuracy-grader.`] : []),
  ]
  const table: ConsoleTable = {
    title: `AIPerf | Accuracy: ${benchmark} (graded by ${grader})`,
    columns: ['Task', 'Correct', 'Total', 'Unparsed', 'Accuracy', '95% interval', 'Failed'],
    rows: (tasks.length === 1 ? tasks : [...tasks, overall]).map(({ task, graded, passed, unparsed, failed, rate, interval }) => [
      task ?? OVERALL, String(passed), String(graded), String(unparsed), rate === undefined ? undefined : percent(rate), interval && `${percent(interval[0])} – ${percent(interval[1])}`, String(failed),
    ]),
    after,
  }
  return verbose ? [table, await wrongAnswers(accuracy)] : [table]
}

/** `--accuracy-verbose`: every answer that is not right. */
async function wrongAnswers({ answers, overall }: AccuracyResult): Promise<ConsoleTable> {
  const rows: ConsoleTable['rows'] = []
  for await (const { task, gold, actual, text, reasoning, passed } of answers()) {
    if (passed) continue
    if (rows.push([task, short(gold, SHOWN.gold), short(actual, SHOWN.gold), short(text || reasoning, SHOWN.text)]) === LISTED) break
  }
  const wrong = overall.graded - overall.passed
  return { title: 'AIPerf | Answers that are not right', columns: ['Task', 'Expected', 'Got', 'Answer'], rows, ...(wrong > rows.length ? { after: [`${wrong - rows.length} more, see accuracy_export.jsonl`] } : {}) }
}

function short(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
