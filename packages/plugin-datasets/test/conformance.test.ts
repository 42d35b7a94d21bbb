import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { testPlugin, type DatasetLoaderCase, type ToolCase } from '@aiperf/conformance'
import { benchmarkHub } from './benchmarkHub.js'
import { parquetOf } from './parquet.js'

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const file = (name: string, rows: readonly object[], expect?: DatasetLoaderCase['expect']): DatasetLoaderCase => ({ file: { name, text: lines(rows) }, ...(expect ? { expect } : {}) })
const messages = [{ role: 'user', content: 'Hello' }]

const folder = mkdtempSync(join(tmpdir(), 'aiperf-datasets-'))
function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const trace = [{ timestamp: 0, input_length: 600, output_length: 10, hash_ids: [1, 2] }, { timestamp: 100, input_length: 1100, output_length: 20, hash_ids: [1, 2, 3] }]
const chained = (chat: number, parent: number, timestamp: number, turn: number, hash_ids: number[]) => ({ chat_id: chat, parent_chat_id: parent, timestamp, input_length: hash_ids.length * 16, output_length: 5, type: 'text', turn, hash_ids })
const captured = (id: string, time: string) => ({ captureData: { endpointInput: { data: JSON.stringify({ messages }), encoding: 'JSON' } }, eventMetadata: { eventId: id, inferenceTime: time } })
const question = (category: string) => ({ question_id: category.padEnd(32, '0'), category, messages })
const table = parquetOf({
  timestamp_start_unix_ms: ['integer', [1_700_000_000_500n, 1_700_000_000_000n]],
  prompt: ['text', ['second', 'first']],
  input_tokens: ['integer', [9n, 12n]],
  output_tokens: ['integer', [1n, 40n]],
})
const talk = (ask: string) => ({ conversations: [{ from: 'human', value: ask }, { from: 'gpt', value: 'A longer answer than that.' }] })

const analysed = (more: Partial<ToolCase> & { options?: object }): ToolCase => ({ ...more, options: { inputFile: written('analysed.jsonl', lines(trace)), ...more.options } })

const hub = await benchmarkHub()
afterAll(() => hub.close())
Object.assign(process.env, { HF_ENDPOINT: hub.url, HF_HUB_CACHE: join(folder, 'hub'), HF_TOKEN: 'hf_gated' })

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    tokenizer: { huggingface: { as: new URL('tokenizers/bytelevel', import.meta.url).pathname, skip: { 'decode gives the text back': 'a vocabulary of a few hundred tokens' } } },
    dataset_loader: {
      single_turn: file('prompts.jsonl', [{ text: 'Hello' }, { text: 'And you?' }, { texts: ['One'] }], { sessions: 3, turns: 3, bad: 0 }),
      multi_turn: file('talks.jsonl', [{ session_id: 'a', turns: [{ text: 'Hello' }, { text: 'And then?' }] }], { sessions: 1, turns: 2 }),
      random_pool: { ...file('pool.jsonl', [{ text: 'a' }, { text: 'b' }]), skip: { 'its own file is known': 'rows of a pool are those of single_turn: it is named, or a folder' } },
      mooncake_trace: [file('trace.jsonl', trace, { sessions: 2 }), { ...file('trace.jsonl', trace), fixedSchedule: true }, { ...file('trace.jsonl', trace), options: { synthesis: { prefixLenMultiplier: 2 } } }],
      bailian_trace: file('trace.jsonl', [chained(1, -1, 0, 1, [5, 6]), chained(2, 1, 4, 2, [5, 6, 7])], { sessions: 1, turns: 2 }),
      burst_gpt_trace: { file: { name: 'trace.csv', text: 'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,31,18,49,API log\n45.5,GPT-4,10,8,18,API log\n' }, expect: { sessions: 2, bad: 0 } },
      baseten_trace: { file: written('trace.parquet', table), expect: { sessions: 2 } },
      sagemaker_data_capture: file('capture.jsonl', [captured('e1', '2025-01-01T00:00:00Z'), captured('e2', '2025-01-01T00:00:01Z')], { sessions: 2 }),
      raw_payload: file('payloads.jsonl', [{ messages, model: 'm' }, { messages, model: 'n' }], { sessions: 2 }),
      inputs_json: { file: { name: 'inputs.json', text: JSON.stringify({ data: [{ session_id: 's', payloads: [{ messages }, { messages }] }] }) }, expect: { sessions: 1, turns: 2 } },
      sharegpt: { file: { name: 'sharegpt.json', text: JSON.stringify([talk('What is the time now?'), talk('And what was it before?')]) }, expect: { sessions: 2 } },
      speed_bench_qualitative: { file: written('qualitative.jsonl', lines([question('math'), question('coding')])), expect: { sessions: 2 } },
      speed_bench_math: { file: written('qualitative.jsonl', lines([question('math'), question('coding')])), expect: { sessions: 1 }, skip: { 'its own file is known': 'the file is that of all categories; one of them is named' } },
      speed_bench_throughput_1k: { file: written('throughput_1k.jsonl', lines([question('mixed')])), expect: { sessions: 1 } },
    },
    tool: {
      'analyze-trace': [analysed({ prints: 'Unique prefixes' }), analysed({ options: { output: 'json' }, prints: '"total_requests": 2', json: true })],
      validate: [
        { options: { inputFile: written('good.jsonl', lines([{ text: 'Hello' }])), output: 'json' }, prints: '"valid": true', json: true },
        { options: { inputFile: written('bad.jsonl', `${lines(trace)}{"input_length": 0}\n`) }, prints: 'line 3', exit: 2 },
      ],
      'synthesize-agentic-code': { options: { sessions: 2, output: folder }, prints: 'dataset.jsonl' },
    },
  },
})
