import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startMockServer, type MockServer } from '@aiperf/mock-server'
import { metric, profile, scratch, type Profiled } from '../test-support/profile.js'

const REQUESTS = 4
/** Tokens of an answer, fewer than any limit, so that answers end by themselves. */
const TOKENS = 5
const VIDEO_MS = 80

let server: MockServer
beforeAll(async () => {
  server = await startMockServer({ port: 0, ttftMs: 3, itlMs: 1, outputTokens: TOKENS, videoMs: VIDEO_MS, captureRequests: true })
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const load = `--workers-max 1 --concurrency 2 --request-count ${REQUESTS} --random-seed 3`

/** What is looked at in the bodies that the server got. */
interface Sent {
  messages?: { role: string }[]
  input?: { role: string }[]
  previous_response_id?: string
  inputs?: string
}
const bodies = (): Sent[] => server.truth().map(({ body }) => JSON.parse(body!) as Sent)

/** Every request was answered, none was lost or counted twice, and the server saw the same. */
function expectAllValid(run: Profiled, path: string, requests = REQUESTS): void {
  expect(run.rows.map((row) => row.error).filter(Boolean)).toEqual([])
  expect(run.rows.filter((row) => row.success)).toHaveLength(requests)
  expect(run.exitCode).toBe(0)
  expect(metric(run, 'request_count')).toBe(requests)
  expect(metric(run, 'error_request_count') ?? 0).toBe(0)
  expect(server.truth().map((truth) => [truth.path, truth.ending])).toEqual(Array.from({ length: requests }, () => [path, 'complete']))
}

/** Which of these metrics the run has. */
function presentOf(run: Profiled, ...tags: string[]): string[] {
  return tags.filter((tag) => run.result.profiling.metrics.has(tag))
}

const OF_STREAMS = ['time_to_first_token', 'time_to_second_token', 'inter_token_latency', 'inter_chunk_latency']
const OF_OUTPUT = ['output_sequence_length', 'output_token_throughput', 'total_osl']
const OF_INPUT = ['input_sequence_length', 'total_isl']

describe('types that stream text', () => {
  it.each([
    ['chat', '/v1/chat/completions', ''],
    ['completions', '/v1/completions', ''],
    ['responses', '/v1/responses', ''],
    ['messages', '/v1/messages', ''],
    ['huggingface_generate', '/generate_stream', '--extra-inputs details:true'],
    ['solido_rag', '/rag/api/prompt', ''],
  ])('%s', async (type, path, flags) => {
    const run = await profile(server.url, `--endpoint-type ${type} --streaming --isl 20 ${load} ${flags}`)
    expectAllValid(run, path)
    expect(presentOf(run, ...OF_STREAMS, ...OF_OUTPUT, ...OF_INPUT)).toEqual([...OF_STREAMS, ...OF_OUTPUT, ...OF_INPUT])
    expect(server.truth().every(({ stream }) => stream)).toBe(true)
    expect(run.rows.map((row) => [row.inputTokens, row.outputTokens, row.contentEvents])).toEqual(Array.from({ length: REQUESTS }, () => [20, TOKENS, TOKENS]))
    // Every one of them but solido says what it has counted.
    const usage = type === 'solido_rag' ? NaN : TOKENS
    expect(run.rows.map((row) => row.usageCompletion)).toEqual(Array.from({ length: REQUESTS }, () => usage))
    expect(run.rows.every((row) => row.outcomeName === 'done')).toBe(true)
  })
})

describe('types that answer at once', () => {
  const small = '--image-width-mean 8 --image-height-mean 8'
  const three = '--rankings-passages-mean 3 --rankings-passages-prompt-token-mean 8 --rankings-query-prompt-token-mean 8'
  it.each([
    ['chat_embeddings', '/v1/embeddings', `--isl 20 ${small}`],
    ['embeddings', '/v1/embeddings', '--isl 20'],
    ['nim_embeddings', '/v1/embeddings', '--isl 20'],
    ['cohere_rankings', '/v2/rerank', three],
    ['hf_tei_rankings', '/rerank', three],
    ['nim_rankings', '/v1/ranking', three],
    ['image_generation', '/v1/images/generations', '--isl 20'],
    ['image_generation', '/v1/images/generations', '--isl 20 --streaming --extra-inputs partial_images:2'],
    ['image_edit', '/v1/images/edits', `--isl 20 ${small}`],
    ['video_generation', '/v1/videos', '--isl 20 --download-video-content'],
    ['image_retrieval', '/v1/infer', small],
    ['audio_transcription', '/v1/audio/transcriptions', '--audio-length-mean 0.2'],
    ['audio_transcription', '/v1/audio/transcriptions', '--audio-length-mean 0.2 --extra-inputs response_format:text'],
  ])('%s at %s with %s', async (type, path, flags) => {
    const run = await profile(server.url, `--endpoint-type ${type} ${load} ${flags}`)
    expectAllValid(run, path)
    const takesText = type !== 'image_retrieval' && type !== 'audio_transcription'
    expect(presentOf(run, ...OF_STREAMS, ...OF_OUTPUT, ...OF_INPUT)).toEqual(takesText ? OF_INPUT : [])
    const takesImages = flags.includes(small)
    expect(presentOf(run, 'num_images', 'image_latency')).toEqual(takesImages ? ['num_images', 'image_latency'] : [])
    expect(presentOf(run, 'audio_duration')).toEqual(type === 'audio_transcription' ? ['audio_duration'] : [])
    const inputTokens = !takesText ? NaN : type.endsWith('rankings') ? 4 * 8 : 20
    expect(run.rows.map((row) => row.inputTokens)).toEqual(Array.from({ length: REQUESTS }, () => inputTokens))
    if (type === 'video_generation') expect(Math.min(...run.rows.map((row) => row.endNs - row.dispatchedNs))).toBeGreaterThanOrEqual(VIDEO_MS * 1e6)
  })
})

describe('whole conversations', () => {
  const turns = '--isl 10 --session-turns-mean 3 --session-turns-stddev 0 --num-sessions 2 --workers-max 1 --concurrency 2'

  /** The roles of the last turn of each session. */
  const lastRoles = (field: 'messages' | 'input') => bodies().map((body) => body[field]!.map(({ role }) => role)).filter((roles) => roles.length === 5)

  it.each([
    ['chat', '/v1/chat/completions', 'messages'],
    ['messages', '/v1/messages', 'messages'],
    ['responses', '/v1/responses', 'input'],
  ] as const)('%s sends the replies so far, and reads answers that are not streamed', async (type, path, field) => {
    const run = await profile(server.url, `--endpoint-type ${type} ${turns}`)
    expectAllValid(run, path, 6)
    expect(lastRoles(field)).toEqual([0, 1].map(() => ['user', 'assistant', 'user', 'assistant', 'user']))
    expect(presentOf(run, ...OF_STREAMS, ...OF_OUTPUT)).toEqual(OF_OUTPUT)
    expect(run.rows.map((row) => row.outputTokens)).toEqual(Array.from({ length: 6 }, () => TOKENS))
    // A later turn has the history in its input: the turns before it, and an answer to each.
    for (const row of run.rows) expect(row.inputTokens).toBeGreaterThanOrEqual(10 + row.turn * (10 + TOKENS))
  })

  it('responses leave the conversation to the server where it keeps it', async () => {
    const run = await profile(server.url, `--endpoint-type responses --streaming ${turns} --extra-inputs store:true --use-server-token-count`)
    expectAllValid(run, '/v1/responses', 6)
    const sent = bodies()
    expect(sent.map((body) => body.input!.length)).toEqual(Array.from({ length: 6 }, () => 1))
    const previous = sent.map((body) => body.previous_response_id)
    expect(previous.filter((id) => id === undefined)).toHaveLength(2)
    expect(new Set(previous.filter((id) => id !== undefined)).size).toBe(4)
    // What the server counts grows with what it keeps.
    for (const session of [0, 1]) {
      const counts = run.rows.filter((row) => row.session === session).sort((a, b) => a.turn - b.turn).map((row) => row.inputTokens)
      expect(counts).toHaveLength(3)
      expect(counts[1]! - counts[0]!).toBeGreaterThan(TOKENS)
      expect(counts[2]! - counts[1]!).toBeGreaterThan(TOKENS)
    }
  })
})

describe('services of any form', () => {
  it('raw sends payloads as they are, to the URL as it is', async () => {
    const file = join(scratch(), 'payloads.jsonl')
    const payloads = ['one', 'two'].map((content) => ({ model: 'm', stream: true, extra: [content], messages: [{ role: 'user', content }] }))
    writeFileSync(file, payloads.map((payload) => JSON.stringify(payload)).join('\n'))
    const run = await profile(`${server.url}/v1/chat/completions`, `--endpoint-type raw --streaming --custom-dataset-type raw_payload --input-file ${file} ${load}`)
    expectAllValid(run, '/v1/chat/completions')
    expect(bodies().map((body) => JSON.stringify(body)).sort()).toEqual([...payloads, ...payloads].map((payload) => JSON.stringify(payload)).sort())
    expect(presentOf(run, ...OF_STREAMS, ...OF_OUTPUT)).toEqual([...OF_STREAMS, ...OF_OUTPUT])
    expect(run.rows.map((row) => row.outputTokens)).toEqual(Array.from({ length: REQUESTS }, () => TOKENS))
  })

  it('template renders bodies and finds the answer by its path', async () => {
    const folder = scratch()
    const [template, prompts] = [join(folder, 'body.jinja'), join(folder, 'prompts.jsonl')]
    writeFileSync(template, '{"inputs": {{ text | tojson }}, "parameters": {"details": false}, "for": "{{ model }}"}')
    writeFileSync(prompts, ['say "a" & <b>', 'c'].map((text) => JSON.stringify({ text })).join('\n'))
    const extra = JSON.stringify({ payload_template: template, response_field: 'generated_text', seed: 1 })
    const run = await profile(`${server.url}/generate`, `--endpoint-type template --custom-dataset-type single_turn --input-file ${prompts} --extra-inputs ${extra} ${load}`)
    expectAllValid(run, '/generate')
    expect(new Set(bodies().map((body) => body.inputs))).toEqual(new Set(['say "a" & <b>', 'c']))
    expect(bodies()[0]).toMatchObject({ for: 'test-model', seed: 1, parameters: { details: false } })
    expect(presentOf(run, ...OF_STREAMS, ...OF_OUTPUT)).toEqual(OF_OUTPUT)
    expect(run.rows.map((row) => row.outputTokens)).toEqual(Array.from({ length: REQUESTS }, () => TOKENS))
  })
})
