import type { Json, JsonObject } from '@aiperf/core'
import { list, object, text } from '../runs/facts.js'

/** What a person would read of a message: its role and its text. */
export interface Spoken {
  role: string
  text: string
}

/** The messages of a request body, whatever its endpoint: the messages of a chat, or the one thing that was asked. */
export function messagesOf(payload: JsonObject): Spoken[] {
  const system = payload['system'] ?? payload['instructions']
  const before = system === undefined ? [] : [{ role: 'system', text: contentText(system) }]
  const asked = payload['messages'] ?? payload['input'] ?? payload['prompt'] ?? payload['text'] ?? payload['query']
  if (Array.isArray(asked) && asked.every((m) => typeof m === 'object' && m !== null && !Array.isArray(m) && ('role' in m || 'type' in m)))
    return [...before, ...list(asked).map((m) => ({ role: text(m['role']) ?? text(m['type']) ?? 'user', text: messageText(m) }))]
  return [...before, { role: 'user', text: asked === undefined ? JSON.stringify(payload, undefined, 1) : contentText(asked) }]
}

const messageText = (message: JsonObject): string =>
  [contentText(message['content']), message['tool_calls'] === undefined ? '' : `tool calls: ${JSON.stringify(message['tool_calls'])}`, message['content'] === undefined && message['output'] !== undefined ? contentText(message['output']) : ''].filter((part) => part !== '').join('\n')

/** Text of content that may come in parts; other parts are named. */
function contentText(content: Json | undefined): string {
  if (content === undefined || content === null) return ''
  if (typeof content !== 'object') return String(content)
  if (!Array.isArray(content)) return text(content['text']) ?? JSON.stringify(content)
  return content.map((part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return String(part)
    const spoken = text(part['text']) ?? (part['type'] === 'tool_result' ? contentText(part['content']) : undefined)
    return spoken ?? `[${text(part['type']) ?? 'part'}]`
  }).join('\n')
}

interface Response {
  packets?: { name?: string; value?: string }[]
  text?: string
}

/** The text of an answer: of every event of a stream, or of a whole body. Reasoning comes first, marked as such. */
export function replyOf(responses: readonly Response[]): string {
  let reasoning = ''
  let content = ''
  const take = (body: string): void => {
    if (body.trim() === '[DONE]') return
    let value: JsonObject
    try {
      value = object(JSON.parse(body) as Json)
    } catch {
      content += body
      return
    }
    const said = answerText(value)
    reasoning += said.reasoning
    content += said.content
  }
  for (const response of responses) {
    for (const packet of response.packets ?? []) if (packet.name === 'data' && packet.value !== undefined) take(packet.value)
    if (response.text !== undefined) take(response.text)
  }
  return [reasoning === '' ? '' : `(reasoning) ${reasoning}`, content].filter((part) => part !== '').join('\n')
}

function answerText(value: JsonObject): { reasoning: string; content: string } {
  let reasoning = ''
  let content = ''
  for (const choice of list(value['choices'])) {
    const said = object(choice['delta'] ?? choice['message'])
    reasoning += text(said['reasoning_content']) ?? text(said['reasoning']) ?? ''
    content += contentText(said['content'] ?? choice['text'])
    if (said['tool_calls'] !== undefined) content += list(said['tool_calls']).map((call) => `${text(object(call['function'])['name']) ?? ''}${text(object(call['function'])['arguments']) ?? ''}`).join('')
  }
  const type = text(value['type']) ?? ''
  const delta = value['delta']
  if (typeof delta === 'string' && type.endsWith('.delta')) type.includes('reasoning') ? (reasoning += delta) : (content += delta)
  else if (typeof delta === 'object') {
    reasoning += text(object(delta)['thinking']) ?? ''
    content += text(object(delta)['text']) ?? ''
  }
  if (value['choices'] === undefined && type === 'message') content += contentText(value['content'])
  if (value['choices'] === undefined && Array.isArray(value['output'])) content += list(value['output']).map((item) => contentText(item['content'])).join('')
  return { reasoning, content }
}
