import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginFolder } from '../../core/test/plugin-folder.js'
import { aiperf, emptyFolder, home, type Ended } from './program.js'

/**
 * Runs that ask questions and grade the answers, against a server that can add: it is right unless the sum is a multiple of
 * three, when it says one more, fails with status 500 when the sum is a multiple of seven, and answers out of order.
 */
const PROBLEMS = 40
const folder = emptyFolder()
const file = join(folder, 'sums.jsonl')
const sums = Array.from({ length: PROBLEMS }, (_, i) => ({ id: `sum-${i}`, task: i % 2 === 0 ? 'even' : 'odd', question: `What is ${i} + 10?`, answer: i + 10, stop: ['\n'], system: 'Add.' }))
const sumOf = (text: string): number => Number(/(\d+) \+ 10/.exec(text)![1]) + 10
const said = (sum: number): string => (sum % 3 === 0 ? `I think ${sum + 1}.` : `That makes\n\\boxed{${sum}}`)

type Body = Record<string, unknown> & { stream?: boolean }
const seen: { path: string; body: Body }[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    const body = JSON.parse(text) as Body
    seen.push({ path: request.url!, body })
    const sum = sumOf(text)
    setTimeout(() => {
      if (sum % 7 === 0) return response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"seven"}}')
      const content = said(sum)
      if (body.stream) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const half = content.length >> 1
        for (const delta of [{ reasoning_content: 'Is it 5? ' }, { content: content.slice(0, half) }, { content: content.slice(half) }]) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
        return response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
      }
      const choices = [{ index: 0, finish_reason: 'stop', ...(request.url === '/v1/completions' ? { text: content } : { message: { role: 'assistant', content } }) }]
      const messages = { type: 'message', role: 'assistant', content: [{ type: 'text', text: content }], stop_reason: 'end_turn' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.url === '/v1/messages' ? messages : { choices }))
    }, (sum * 7) % 11)
  })
})
let url: string
beforeAll(async () => {
  writeFileSync(file, sums.map((row) => `${JSON.stringify(row)}\n`).join(''))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

type Args = (string | { env: Record<string, string> })[]
const run = (name: string, ...given: Args): Promise<Ended> => {
  const args = given.filter((arg) => typeof arg === 'string')
  const more = given.find((arg) => typeof arg !== 'string')
  return aiperf(['profile', '--model', 'm', '--url', url, '--tokenizer', 'builtin', '--ui', 'none', '--no-server-metrics', '--no-gpu-telemetry', '--artifact-dir', join(folder, name), ...args], more)
}
const ask = (name: string, ...args: Args) => run(name, '--accuracy-benchmark', 'file', '--input-file', file, ...args)
const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')
interface Line { conversation_id: string; x_request_id: string; expected: string; actual: string; passed: boolean; unparsed: boolean; task: string; model_output: string; model_thinking: string | null }
const linesOf = (name: string) => read(name, 'accuracy_export.jsonl').trim().split('\n').map((line) => JSON.parse(line) as Line)
const summaryOf = (name: string) => JSON.parse(read(name, 'profile_export_aiperf.json')) as { accuracy: Record<string, unknown>; absent: Record<string, string> } & Record<string, { avg: number; count: number; sum: number }>
const inThousands = (n: number): string => n.toFixed(4)

const all = sums.map(({ answer }) => answer)
const answered = all.filter((sum) => sum % 7 !== 0)
const right = answered.filter((sum) => sum % 3 !== 0)

describe('a benchmark is asked and graded', () => {
  test('every problem once, each answer by its own problem, whatever the order, warm-up left out, failures counted apart', async () => {
    const { stdout } = await ask('once', '--streaming', '--concurrency', '8', '--dataset-sampling-strategy', 'shuffle', '--warmup-request-count', '5')
    const lines = linesOf('once')
    expect(new Set(lines.map((line) => line.conversation_id)).size).toBe(lines.length)
    expect(lines).toHaveLength(answered.length)
    for (const line of lines) {
      const sum = Number(line.conversation_id.replace('sum-', '')) + 10
      expect(line).toMatchObject({ expected: String(sum), passed: sum % 3 !== 0, unparsed: sum % 3 === 0, actual: String(sum % 3 === 0 ? sum + 1 : sum), model_output: said(sum), model_thinking: 'Is it 5? ', task: sum % 2 === 0 ? 'even' : 'odd' })
    }
    const summary = summaryOf('once')
    expect(summary['accuracy.overall']).toMatchObject({ unit: 'ratio', count: answered.length, sum: right.length, avg: right.length / answered.length })
    expect(summary['accuracy.unparsed']).toMatchObject({ count: answered.length, sum: answered.length - right.length })
    expect(summary['accuracy.task.even']!.count + summary['accuracy.task.odd']!.count).toBe(answered.length)
    expect(summary.accuracy).toMatchObject({ benchmark: 'file', grader_name: 'by_gold', problems: PROBLEMS, problems_answered: answered.length, failed_requests: PROBLEMS - answered.length })
    expect(summary.absent['osl_mismatch_count']).toBe('an accuracy run')
    const [head, overall] = read('once', 'accuracy_results.csv').split('\r\n')
    expect(head).toBe('task,correct,total,unparsed,accuracy,failed,accuracy_low,accuracy_high')
    expect(overall).toMatch(`OVERALL,${right.length},${answered.length},${answered.length - right.length},${inThousands(right.length / answered.length)},${PROBLEMS - answered.length},`)
    expect(stdout).toMatch(/Accuracy: file \(graded by by_gold\)/)
    expect(stdout).toContain(`${PROBLEMS - answered.length} requests failed: no answer, so neither right nor wrong; ${answered.length} answers were graded.`)
  })

  test('the same files again, offline', async () => {
    const before = ['accuracy_results.csv', 'accuracy_export.jsonl'].map((name) => read('once', name))
    for (const name of ['accuracy_results.csv', 'accuracy_export.jsonl']) writeFileSync(join(folder, 'once', name), '')
    expect((await aiperf(['export', join(folder, 'once')])).code).toBe(0)
    expect(['accuracy_results.csv', 'accuracy_export.jsonl'].map((name) => read('once', name))).toEqual(before)
  })

  test('a count asks fewer of them, or some again; tasks leave out others; the table lists what is not right', async () => {
    const [few, again] = await Promise.all([ask('few', '--request-count', '3'), ask('again', '--accuracy-tasks', 'ODD', '--request-count', '30', '--accuracy-verbose', '--accuracy-grader', 'lighteval_gsm8k', '--profile-export-prefix', 'p')])
    expect(summaryOf('few').accuracy).toMatchObject({ problems: PROBLEMS, problems_answered: 3 })
    expect(few.stdout).toContain(`3 of ${PROBLEMS} problems were answered.`)
    const lines = read('again', 'p_accuracy.jsonl').trim().split('\n').map((line) => JSON.parse(line) as Line)
    expect(new Set(lines.map((line) => line.task))).toEqual(new Set(['odd']))
    expect(lines.length).toBeGreaterThan(new Set(lines.map((line) => line.conversation_id)).size)
    expect(again.stdout).toMatch(/Problems were asked several times/)
    expect(again.stdout).toMatch(/Answers that are not right[\s\S]*odd .* I think \d+\./)
  })

  test('scores are metrics like others: a sweep has them, a search is held to them, and less of them is worse', async () => {
    const { code, stderr } = await ask('limits', '--search-recipe', 'max-concurrency-under-sla', '--concurrency-max', '2', '--e2e-sla-ms', '60000', '--search-sla', 'accuracy.task.even:avg:ge:0.1', '--num-dataset-entries', '6')
    expect({ code, stderr: stderr.replace(/^warn.*$/gm, '').trim() }).toEqual({ code: 0, stderr: '' })
    const compared = await aiperf(['compare', join(folder, 'once'), join(folder, 'few'), '--force', '--output', 'json', '--metrics', 'accuracy.overall:avg,accuracy.unparsed:avg'])
    expect((JSON.parse(compared.stdout) as { points: { metrics: { larger_is_better: boolean }[] }[] }).points[0]!.metrics.map((row) => row.larger_is_better)).toEqual([true, false])
  })

  test('each kind of endpoint is asked in its own way', async () => {
    seen.length = 0
    const ways = ['chat', 'completions', 'messages']
    await Promise.all(ways.map((type) => ask(type, '--endpoint-type', type, '--request-count', '1', '--accuracy-max-tokens', '7', ...(type === 'chat' ? ['--accuracy-system-prompt', 'Be right.'] : []))))
    const bodies = Object.fromEntries(seen.map(({ path, body }) => [path, body]))
    expect(bodies['/v1/chat/completions']).toMatchObject({ messages: [{ role: 'system', content: 'Be right.' }, { role: 'user', content: 'What is 0 + 10?' }], stop: ['\n'], max_completion_tokens: 7 })
    expect(bodies['/v1/completions']).toMatchObject({ prompt: 'Add.\n\nWhat is 0 + 10?', stop: ['\n'], max_tokens: 7 })
    expect(bodies['/v1/messages']).toMatchObject({ system: 'Add.', messages: [{ role: 'user', content: 'What is 0 + 10?' }], stop_sequences: ['\n'], max_tokens: 7 })
    for (const type of ways) expect(linesOf(type)).toEqual([expect.objectContaining({ passed: true, conversation_id: 'sum-0' })])
  })
})

test('a grader that fails costs the grades, not the results, and is named', async () => {
  const env = home(emptyFolder())
  const plugin = pluginFolder(
    { name: '@acme/strict', version: '3.0.0', oclif: {}, aiperf: { api: 1, contributes: { accuracy_grader: { strict: { entry: './strict.js', meta: { description: 'x' } } } } } },
    { 'strict.js': `export default { kind: 'accuracy_grader', api: 1, create: () => ({ grade(answer) { if (answer.includes('think')) throw new Error('no thoughts'); return { passed: true, unparsed: false, actual: answer } } }) }` },
  )
  expect((await aiperf(['plugins', 'link', plugin], { env })).code).toBe(0)
  const { code, stderr } = await ask('strict', '--accuracy-grader', 'strict', { env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/The accuracy grader "strict" of @acme\/strict 3\.0\.0: it failed on an answer: no thoughts[\s\S]*"aiperf export" grades the answers/)
  expect(summaryOf('strict')['request_count']!.avg).toBe(answered.length)
  expect(existsSync(join(folder, 'strict', 'accuracy_results.csv'))).toBe(false)
})

describe('refused, all at once', () => {
  const problems = async (...args: string[]) => {
    const { code, stderr } = await run('refused', ...args)
    expect(code).not.toBe(0)
    return stderr
  }
  test('flags without a benchmark', async () => {
    const stderr = await problems('--accuracy-tasks', 'a', '--accuracy-n-shots', '2', '--accuracy-no-enable-cot', '--accuracy-grader', 'math', '--accuracy-system-prompt', 'x', '--accuracy-verbose', '--accuracy-max-tokens', '4')
    for (const flag of ['--accuracy-tasks', '--accuracy-n-shots', '--accuracy-grader', '--accuracy-system-prompt', '--accuracy-verbose']) expect(stderr).toContain(`${flag} has no effect without --accuracy-benchmark`)
    expect(stderr).toMatch(/--accuracy-max-tokens is an option of the accuracy benchmark file/)
  })
  test('datasets, schedules and examples that a benchmark does not have', async () => {
    const stderr = await problems('--accuracy-benchmark', 'file', '--accuracy-n-shots', '3', '--accuracy-enable-cot', '--public-dataset', 'sharegpt', '--isl', '5', '--fixed-schedule', '--system-prompt', 'x')
    for (const text of ['needs --input-file', 'cannot be combined with --public-dataset', '--isl is an option of the dataset loader', '--accuracy-n-shots 3 is more than', '--accuracy-enable-cot has no effect', '--fixed-schedule needs a dataset with time stamps', '--system-prompt is for datasets']) expect(stderr).toContain(text)
  })
  test('names that there are not, and endpoints that answer no text', async () => {
    expect(await problems('--accuracy-benchmark', 'fiel')).toMatch(/Did you mean file/)
    expect(await problems('--accuracy-benchmark', 'file', '--input-file', file, '--accuracy-grader', 'maths')).toMatch(/Did you mean math/)
    expect(await problems('--accuracy-benchmark', 'file', '--input-file', file, '--endpoint-type', 'embeddings')).toContain('needs an endpoint that answers a text with a text')
    expect(await problems('--accuracy-benchmark', 'file', '--input-file', file, '--accuracy-tasks', 'even,primes')).toMatch(/no task primes[\s\S]*tasks: even, odd/)
  })
  test('rows that cannot be asked, with their lines', async () => {
    writeFileSync(join(folder, 'bad.jsonl'), '{"question": "Which?", "choices": ["a", "b"], "answer": "C"}\n{"answer": "x"}\n{"question": "Why?", "answer": "so"}\n')
    const stderr = await problems('--accuracy-benchmark', 'file', '--input-file', join(folder, 'bad.jsonl'))
    expect(stderr).toMatch(/line 1: answer: expected one of the letters A, B/)
    expect(stderr).toMatch(/line 2: question: expected a text, got nothing/)
  })
})
