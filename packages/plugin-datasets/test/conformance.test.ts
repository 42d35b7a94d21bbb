import { describe, test } from 'vitest'
import { testPlugin, type DatasetLoaderCase } from '@aiperf/conformance'

const file = (name: string, rows: readonly object[]): DatasetLoaderCase => ({ file: { name, text: rows.map((row) => `${JSON.stringify(row)}\n`).join('') } })
const messages = [{ role: 'user', content: 'Hello' }]

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  // One of the many sets that share a module each speaks for all of them: the others download first.
  only: (kind, name) => kind !== 'dataset_loader' || !/_bench_|^public/.test(name),
  cases: {
    tokenizer: { huggingface: { as: new URL('tokenizers/bytelevel', import.meta.url).pathname, skip: { 'decode gives the text back': 'a vocabulary of a few hundred tokens' } } },
    dataset_loader: {
      single_turn: { ...file('prompts.jsonl', [{ text: 'Hello' }, { text: 'And you?' }, { texts: ['One'] }]), expect: { sessions: 3, turns: 3, bad: 0 } },
      multi_turn: { ...file('talks.jsonl', [{ session_id: 'a', turns: [{ text: 'Hello' }, { text: 'And then?' }] }]), expect: { sessions: 1, turns: 2 } },
      mooncake_trace: file('trace.jsonl', [{ timestamp: 0, input_length: 600, output_length: 10, hash_ids: [1, 2] }, { timestamp: 100, input_length: 1100, output_length: 20, hash_ids: [1, 2, 3] }]),
      raw_payload: file('payloads.jsonl', [{ messages, model: 'm' }, { messages, model: 'n' }]),
    },
  },
})
