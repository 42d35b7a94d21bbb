import { defineEndpoint, type Delta, type Frame, type Json, type JsonObject } from '@aiperf/core'
import type options from './acme-name.options.js'

const encoder = new TextEncoder()

export default defineEndpoint<typeof options>({
  create: ({ options, streaming, models, extraInputs }) => ({
    encode({ turns }) {
      const turn = turns.at(-1)!
      const prompt = (turn.texts ?? []).flatMap((item) => item.contents).join('\n')
      const body: JsonObject = { model: turn.model ?? models[0]!, prompt, stream: streaming, temperature: options.temperature }
      if (turn.maxTokens !== undefined) body['max_tokens'] = turn.maxTokens
      return {
        method: 'POST',
        contentType: 'application/json',
        accept: streaming ? 'text/event-stream' : 'application/json',
        body: encoder.encode(JSON.stringify({ ...body, ...extraInputs, ...turn.extraBody })),
      }
    },
    decoder: () => ({ push: read, end: () => [] }),
    inputTexts: (body) => (typeof (body as JsonObject)['prompt'] === 'string' ? [(body as { prompt: string }).prompt] : []),
  }),
})

/** What a frame means: an event of the stream, or the whole body. It never throws; what it cannot read is malformed. */
function read(frame: Frame): Delta[] {
  if (frame.data.length === 0) return []
  const text = frame.text()
  if (text.trim() === '[DONE]') return [{ kind: 'done' }]
  const json = frame.json()
  if (!isObject(json)) return [{ kind: 'malformed', reason: `expected a JSON object, got ${text.slice(0, 80)}` }]
  const { error, choices, usage } = json
  if (error !== undefined && error !== null) return [{ kind: 'error', message: isObject(error) && typeof error['message'] === 'string' ? error['message'] : JSON.stringify(error) }]
  const deltas: Delta[] = []
  const choice = Array.isArray(choices) ? choices[0] : undefined
  if (isObject(choice)) {
    if (typeof choice['text'] === 'string') deltas.push({ kind: 'text', text: choice['text'] })
    if (typeof choice['finish_reason'] === 'string') deltas.push({ kind: 'finish', reason: choice['finish_reason'] })
  }
  if (isObject(usage)) {
    const { prompt_tokens: prompt, completion_tokens: completion } = usage
    if (isCount(prompt) && isCount(completion)) deltas.push({ kind: 'usage', usage: { prompt, completion } })
  }
  return deltas
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: Json | undefined): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
