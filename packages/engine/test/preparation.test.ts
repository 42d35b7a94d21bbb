import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startMockServer, type MockServer } from '@aiperf/mock-server'
import { profile, scratch, type Row } from '../test-support/profile.js'

let server: MockServer
afterEach(() => server.close())

interface Sent {
  rows: Row[]
  /** User messages of each request, by phase and session, in order of arrival. */
  asked: Map<string, string[]>
  hash: string | undefined
  directory: string
  notices: readonly string[]
}

async function sent(flags: string): Promise<Sent> {
  server = await startMockServer({ port: 0, seed: 1, instant: true, captureRequests: true, outputTokens: 3 })
  const { rows, exitCode, result, directory } = await profile(server.url, `--streaming --random-seed 7 ${flags}`)
  expect(exitCode).toBe(0)
  // The server writes down a request when it has ended there too.
  await expect.poll(() => server.truth().length).toBe(rows.length)
  const asked = new Map<string, string[]>()
  for (const { correlationId, body } of server.truth()) {
    const { messages } = JSON.parse(body!) as { messages: { role: string; content: string }[] }
    // The first part differs from run to run.
    const session = correlationId!.slice(9)
    asked.set(session, [...(asked.get(session) ?? []), JSON.stringify(messages.filter((message) => message.role !== 'assistant'))])
  }
  await server.close()
  return { rows, asked, hash: result.manifest.dataset?.hash, directory, notices: result.manifest.notices }
}

function fileOf(rows: readonly object[]): string {
  const path = join(scratch(), 'trace.jsonl')
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return path
}

const trace = fileOf(Array.from({ length: 90 }, (_, at) => ({ timestamp: at * 2, input_length: 100 + at, output_length: 3, hash_ids: [at % 7] })))
const talks = fileOf(Array.from({ length: 60 }, (_, at) => ({ session_id: `s${at % 20}`, ...(at < 20 ? { timestamp: at * 3 } : { delay: 1 }), input_length: 40 + at, output_length: 3, hash_ids: [at] })))
/** More than is made before the first request, so that workers wait for bodies. */
const large = fileOf(Array.from({ length: 70 }, (_, at) => ({ timestamp: 0, input_length: 40_000 + at, output_length: 3 })))
const OF = (path: string) => `--input-file ${path} --custom-dataset-type mooncake_trace`

describe('prompts made during the run', () => {
  it.each([
    ['shuffled, after a warm-up, and more than once', `${OF(trace)} --no-fixed-schedule --concurrency 4 --request-count 120 --dataset-sampling-strategy shuffle --warmup-request-count 9`],
    ['faster than they are made', `${OF(large)} --no-fixed-schedule --concurrency 16 --request-count 70`],
    ['at the time stamps of a trace', OF(trace)],
    ['in conversations that go on from live answers', `${OF(talks)} --no-fixed-schedule --concurrency 3 --num-sessions 20`],
    ['generated, behind a shared system message, with markers against prefix caches', '--isl 60 --shared-system-prompt-length 20 --cache-bust first-turn-prefix --num-dataset-entries 70 --request-rate 500 --request-count 50'],
  ])('are those made before it: %s', async (_, flags) => {
    const before = await sent(`${flags} --dataset-preparation before`)
    const during = await sent(`${flags} --dataset-preparation during`)
    expect(during.rows).toHaveLength(before.rows.length)
    const comparable = (run: Sent) => [...run.asked].map(([key, bodies]) => [key, ...bodies].join('\n').replaceAll(/\[rid:\w+\]/g, '[rid]')).sort()
    expect(comparable(during)).toEqual(comparable(before))
    const lengths = (run: Sent) => run.rows.map((row) => [row.phase, row.session, row.turn, row.inputTokens].join(' ')).sort()
    expect(lengths(during)).toEqual(lengths(before))
  })

  it('have a hash in the manifest by what they are made of, and leave no file behind', async () => {
    const flags = `${OF(trace)} --no-fixed-schedule --concurrency 4 --dataset-preparation during`
    const [few, many, other] = [await sent(`${flags} --request-count 2`), await sent(`${flags} --request-count 60`), await sent(`${flags} --request-count 2 --prompt-corpus coding`)]
    expect(few.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(many.hash).toBe(few.hash)
    expect(other.hash).not.toBe(few.hash)
    expect(readdirSync(join(many.directory, 'journal'))).not.toContain('bodies.bin')
  })
})

it('the sessions that are taken from a file are limited by --num-dataset-entries, and what was left out is said', async () => {
  const path = fileOf([{ text: 'a' }, { image: '' }, { text: 'b' }, { text: 'c' }])
  const { notices, rows } = await sent(`--input-file ${path} --custom-dataset-type single_turn --on-bad-line skip --num-dataset-entries 2 --request-count 5`)
  expect(new Set(rows.map((row) => row.conversation)).size).toBe(2)
  expect(notices.join('\n')).toMatch(/1 bad line \(.*line 2: image: /)
  expect(notices.join('\n')).toContain('the first 2 sessions')
})

it('prompts of a large file are counted when their requests are recorded, with the same result', async () => {
  // 18 MB, of which the first 16 are counted before the run.
  const path = fileOf(Array.from({ length: 90 }, (_, at) => ({ text: 'One word and another. '.repeat(9000 + at), output_length: 3 })))
  const { rows } = await sent(`--input-file ${path} --custom-dataset-type single_turn --concurrency 4 --request-count 120`)
  const lengths = new Map(rows.map((row) => [row.conversation, row.inputTokens]))
  expect(lengths.size).toBe(90)
  const [first, second] = [lengths.get(0)!, lengths.get(1)!]
  for (const [conversation, tokens] of lengths) expect(tokens).toBe(first + conversation * (second - first))
})

