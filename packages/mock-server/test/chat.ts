import type { MockServer } from '../src/index.js'
import { RawClient, type RawResponse } from './raw-client.js'

export const CHAT = '/v1/chat/completions'

export function chatBody(extra: object = {}): object {
  return { model: 'mock-model', stream: true, messages: [{ role: 'user', content: 'Say something.' }], ...extra }
}

/** One chat request on a connection of its own. */
export async function chat(server: MockServer, extra: object = {}, headers: Record<string, string> = {}): Promise<RawResponse> {
  const client = await RawClient.open(server)
  const response = await client.post(CHAT, chatBody(extra), headers)
  client.close()
  return response
}

/** The data of a stream's events, `[DONE]` included; comments are left out. */
export function dataOf(body: string): string[] {
  return body
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .flatMap((block) => block.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => line.slice('data: '.length))
}

export interface Usage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?: { cached_tokens: number }
  completion_tokens_details?: { reasoning_tokens: number }
}

export interface Said {
  role?: string
  content?: string | null
  reasoning_content?: string
  tool_calls?: { id?: string; function: { name?: string; arguments: string } }[]
}

/** An event of a stream, or a whole answer, of chat or text completions. */
export interface Answered {
  id: string
  object: string
  model: string
  choices: { delta: Said; message: Said; text: string; finish_reason: string | null }[]
  usage?: Usage
  error?: { message: string; code: number }
}

export function eventsOf(response: { body: string }): Answered[] {
  return dataOf(response.body).filter((data) => data !== '[DONE]').map((data) => JSON.parse(data) as Answered)
}

export function wholeOf(response: { body: string }): Answered {
  return JSON.parse(response.body) as Answered
}

/** What the events of a stream say, kind by kind. */
export function saidBy(response: { body: string }): { content: string; reasoning: string; tool: string } {
  const choices = eventsOf(response).flatMap((event) => event.choices ?? [])
  return {
    content: choices.map(({ delta, text }) => delta?.content ?? text ?? '').join(''),
    reasoning: choices.map(({ delta }) => delta?.reasoning_content ?? '').join(''),
    tool: choices.flatMap(({ delta }) => delta?.tool_calls ?? []).map((call) => call.function.arguments).join(''),
  }
}

/** The number of words of a generated text, which is its number of tokens. */
export function wordsIn(text: string): number {
  return text.split(' ').length - 1
}
