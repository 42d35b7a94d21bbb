import type { Conversations } from '../model/conversations.js'
import { AskError, type Ask, type Prompt } from './ask.js'
import { charsOf, contentText } from './chat.js'
import { Fields } from './fields.js'

export interface ResponsesAsk extends Ask {
  readonly previousId: string | undefined
  /** Whether the answer is kept for a `previous_response_id` to come. */
  readonly store: boolean
}

/** Reads the JSON body of a response (https://platform.openai.com/docs/api-reference/responses/create). */
export function readResponses(body: Buffer, conversations: Conversations): ResponsesAsk {
  const fields = new Fields(body)
  const prompt = promptOf(fields.required('input'), fields.string('instructions') ?? '')
  const previousId = fields.string('previous_response_id')
  const before = previousId === undefined ? undefined : conversations.recall(previousId)
  if (previousId !== undefined && before === undefined) throw new AskError(`Previous response with id '${previousId}' not found.`)
  const tool = firstFunction(fields.get('tools'))
  return {
    ...fields.common(),
    maxTokens: fields.integer('max_output_tokens', 1),
    prompt: before === undefined ? prompt : { texts: prompt.texts, whole: before.whole + prompt.whole },
    promptChars: charsOf(prompt),
    otherPromptTokens: before?.tokens ?? 0,
    previousId,
    store: fields.get('store') !== false,
    ...(tool === undefined ? {} : { tool }),
  }
}

/** Input is text or a list of items: messages, calls of functions, and what they returned. */
function promptOf(input: unknown, instructions: string): Prompt {
  if (typeof input === 'string') return { texts: [instructions, input].filter(Boolean), whole: `${heading(instructions)}user\n${input}\nassistant\n` }
  if (!Array.isArray(input) || input.length === 0) throw new AskError('input: must be text or a list with at least one item')
  const texts = instructions === '' ? [] : [instructions]
  let whole = heading(instructions)
  for (const item of input as Record<string, unknown>[]) {
    if (typeof item !== 'object' || item === null) throw new AskError('input: each item must be an object')
    const text = [contentText(item['content']), textOf(item['arguments']), textOf(item['output'])].join('')
    texts.push(text)
    whole += `${textOf(item['role']) || 'user'}\n${text}\n`
  }
  return { texts, whole: `${whole}assistant\n` }
}

function heading(instructions: string): string {
  return instructions === '' ? '' : `system\n${instructions}\n`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function firstFunction(tools: unknown): string | undefined {
  if (!Array.isArray(tools)) return undefined
  const name = (tools as { type?: unknown; name?: unknown }[]).find((tool) => tool?.type === 'function')?.name
  return typeof name === 'string' ? name : undefined
}
