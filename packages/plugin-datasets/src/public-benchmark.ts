import { AiperfError, defineAccuracyBenchmark, type AccuracyProblem, type JsonObject, type LoadReport, type OptionsSchema, type Source } from '@aiperf/core'
import { BENCHMARKS, type PublicBenchmark, type Question } from './benchmarks/catalog.js'
import { publicRows } from './public/publicRows.js'

/** Benchmarks of the Hugging Face hub that are known by name; see `benchmarks/catalog.ts`. */
export default defineAccuracyBenchmark<OptionsSchema<{ revision: string }>>({
  create({ name, options: { revision }, shots, cot }) {
    const benchmark = BENCHMARKS[name]!
    return {
      async *problems(source, report) {
        const rows = (split: string) => rowsOf(benchmark, split, revision, source, report)
        const shown = shots > 0 && benchmark.examples ? await examplesOf(benchmark, shots, rows) : undefined
        for await (const { row, at } of rows(benchmark.split)) {
          const question = benchmark.question(row)
          if (!question) report.skipped('no question with an answer')
          else if (benchmark.examples?.split === benchmark.split && shown?.places.has(at)) report.skipped('shown as a solved example')
          else yield problemOf(benchmark, question, shown?.of(question.task) ?? [], cot, at)
        }
      },
    }
  },
})

interface Row {
  row: JsonObject
  /** Its place in the split. */
  at: number
}

async function* rowsOf({ repository, subset, columns }: PublicBenchmark, split: string, revision: string, source: Source, report: LoadReport): AsyncGenerator<Row> {
  const set = { repository, split, ...(subset === undefined ? {} : { subset }) }
  let at = 0
  for await (const { row } of publicRows(set, revision, columns, source, report)) yield { row, at: at++ }
}

/** The first `shots` examples of each task, one of a kind. */
async function examplesOf(benchmark: PublicBenchmark, shots: number, rows: (split: string) => AsyncGenerator<Row>): Promise<{ of(task: string): readonly Question[]; places: ReadonlySet<number> }> {
  const examples = benchmark.examples!
  const byTask = new Map<string, Question[]>()
  const kinds = new Set<string>()
  const places = new Set<number>()
  for await (const { row, at } of rows(examples.split)) {
    const question = benchmark.question(row)
    if (!question) continue
    const own = byTask.get(question.task) ?? byTask.set(question.task, []).get(question.task)!
    if (own.length === shots) {
      if (examples.tasks === 'one') break
      continue
    }
    const kind = examples.kind?.(row)
    if (kind !== undefined && kinds.has(kind)) continue
    if (kind !== undefined) kinds.add(kind)
    own.push(question)
    places.add(at)
  }
  return {
    places,
    of(task) {
      const own = byTask.get(task) ?? []
      if (own.length < shots) throw new AiperfError('E_DATASET', `${benchmark.repository} has ${own.length} solved examples of ${task} in its ${examples.split} split, expected ${shots}`, { hint: 'give fewer with --accuracy-n-shots' })
      return own
    },
  }
}

function problemOf(benchmark: PublicBenchmark, question: Question, examples: readonly Question[], cot: boolean, at: number): AccuracyProblem {
  const { ask, maxTokens, stop } = benchmark
  const thinks = cot && ask.cot !== undefined
  const asked = ({ text, choices = [] }: Question): string => [text, ...(choices.length > 0 ? [choices.map((choice, i) => `${String.fromCharCode(65 + i)}. ${choice}`).join('\n')] : []), thinks ? ask.cot : ask.plain].join('\n\n')
  const solved = ({ worked, gold, choices }: Question): string => (choices === undefined ? (worked ?? gold) : thinks ? (worked ?? `The answer is (${gold}).`) : gold)
  const messages = [...examples.flatMap((example) => [{ role: 'user', content: asked(example) }, { role: 'assistant', content: solved(example) }]), { role: 'user', content: asked(question) }]
  return {
    id: `${question.task}-${at}`,
    task: question.task,
    messages,
    prompt: `${messages.map(({ role, content }) => (role === 'assistant' ? `Answer: ${content}` : content)).join('\n\n')}\n\nAnswer:`,
    maxTokens: (thinks ? maxTokens.cot : undefined) ?? maxTokens.plain,
    ...(stop && !thinks ? { stop: [...stop] } : {}),
    gold: question.gold,
  }
}
