import type { Answer } from '@aiperf/conformance'

const sse = (...events: (string | object)[]): string => events.map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`).join('')
const named = (...events: { type: string }[]): string => events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('')
const chunk = (delta: object, finish: string | null = null): object => ({ id: '1', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })

/** Answers as servers give them, by endpoint type. */
export const ANSWERS = {
  chat: [
    {
      title: 'stream with reasoning and usage',
      framing: 'sse',
      body: sse(chunk({ role: 'assistant', content: '' }), chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'Hello' }), chunk({ content: ' there' }), chunk({}, 'stop'), { id: '1', object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } }, '[DONE]'),
      expect: { text: 'Hello there', reasoning: 'Hm.', finish: 'stop', usage: { prompt: 9, completion: 4, total: 13 }, done: true },
    },
    {
      title: 'stream of a tool call',
      framing: 'sse',
      body: sse(chunk({ role: 'assistant', tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } }] }), chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }), chunk({ tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] }), chunk({}, 'tool_calls'), '[DONE]'),
      expect: { text: '', tool: 'weather{"city":"Rome"}', finish: 'tool_calls', done: true },
    },
    { title: 'error within the stream', framing: 'sse', body: sse(chunk({ content: 'He' }), { error: { message: 'the engine died', type: 'server_error', code: 500 } }), expect: { text: 'He', error: 'the engine died' } },
    { title: 'whole body', framing: 'body', body: JSON.stringify({ object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'length' }], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } }), expect: { text: 'Hello there', finish: 'length' } },
  ],
  completions: [
    { title: 'stream', framing: 'sse', body: sse({ object: 'text_completion', choices: [{ index: 0, text: 'Hel', finish_reason: null }] }, { object: 'text_completion', choices: [{ index: 0, text: 'lo', finish_reason: 'stop' }] }, '[DONE]'), expect: { text: 'Hello', finish: 'stop', done: true } },
    { title: 'whole body', framing: 'body', body: JSON.stringify({ object: 'text_completion', choices: [{ text: 'Hello', finish_reason: 'stop' }], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } }), expect: { text: 'Hello', finish: 'stop' } },
  ],
  messages: [
    {
      title: 'stream with thinking',
      framing: 'sse',
      body: named(
        { type: 'message_start', message: { id: 'm1', role: 'assistant', content: [], usage: { input_tokens: 9, output_tokens: 1 } } } as { type: string },
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } } as { type: string }, { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } } as { type: string }, { type: 'content_block_stop', index: 0 } as { type: string },
        { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } } as { type: string }, { type: 'ping' }, { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello' } } as { type: string }, { type: 'content_block_stop', index: 1 } as { type: string },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } } as { type: string }, { type: 'message_stop' },
      ),
      expect: { text: 'Hello', reasoning: 'Hm.', finish: 'end_turn', done: true },
    },
  ],
  huggingface_generate: [
    { title: 'stream', framing: 'sse', body: sse({ index: 1, token: { id: 1, text: 'Hel', special: false }, generated_text: null }, { index: 2, token: { id: 2, text: 'lo', special: false }, generated_text: 'Hello', details: { finish_reason: 'length', generated_tokens: 2 } }), expect: { text: 'Hello' } },
    { title: 'whole body', framing: 'body', body: JSON.stringify({ generated_text: 'Hello' }), expect: { text: 'Hello' } },
  ],
  embeddings: [{ title: 'two embeddings', framing: 'body', body: JSON.stringify({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }, { object: 'embedding', index: 1, embedding: [0.3, 0.4] }], usage: { prompt_tokens: 5, total_tokens: 5 } }), expect: { text: '', data: 2 } }],
} satisfies Record<string, Answer[]>
