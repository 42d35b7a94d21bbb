// Chunks per second of the chat decoder alone, on frames as the engine makes them.
//   node bench/decode.mjs [chunks per response]
import { SseParser } from '@aiperf/core'
import chat from '../dist/chat.js'

const per = Number(process.argv[2] ?? 100)
const endpoint = await chat.create({ options: {}, streaming: true, models: ['m'], extraInputs: {} })
const words = ' the quick brown fox jumps over a lazy dog and "says" é\n'.split(' ').map((w) => ` ${w}`)
const responses = Array.from({ length: 50 }, (_, r) => {
  const chunk = (delta, finish = null, more = {}) => `data: ${JSON.stringify({ id: `chatcmpl-${r}-2f9a7d1c84b54d1e`, object: 'chat.completion.chunk', created: 1760000000 + r, model: 'meta-llama/Llama-3.1-8B-Instruct', choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...more })}\n\n`
  return Buffer.from(chunk({ role: 'assistant', content: '' }) + Array.from({ length: per }, (_, i) => chunk({ content: words[(r + i) % words.length] })).join('') + chunk({}, 'stop') + 'data: [DONE]\n\n')
})
const frame = {
  framing: 'sse', event: '', comment: '', status: 200, contentType: 'text/event-stream', data: undefined,
  text() { return Buffer.from(this.data.buffer, this.data.byteOffset, this.data.length).toString('utf8') },
  json() { try { return JSON.parse(this.text()) } catch { return undefined } },
}
let characters = 0
function run(seconds, decode) {
  let chunks = 0
  // CPU time, so that other work on the machine does not count (its caches still do).
  const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6 }
  const from = used()
  while (used() - from < seconds)
    for (const body of responses) {
      const decoder = decode ? endpoint.decoder() : undefined
      new SseParser().push(body, (event, data) => {
        chunks++
        frame.data = data
        if (decode === 'template') for (const delta of decoder.push(frame)) { if (delta.kind === 'text') characters += delta.text.length }
        else if (decode === 'parse' && data.length > 6) characters += JSON.parse(frame.text()).choices[0]?.delta.content?.length ?? 0
      })
    }
  return chunks / (used() - from)
}
for (const how of [undefined, 'template', 'parse']) {
  run(0.5, how)
  const rate = run(2, how)
  console.log(`${(how ?? 'framing only').padEnd(14)} ${(rate / 1e6).toFixed(2)} M chunks/s, ${(1e9 / rate).toFixed(0)} ns each`)
}
