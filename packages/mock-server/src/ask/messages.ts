import type { HttpRequest } from '../http/request.js'
import { AskError, type Ask } from './ask.js'
import { charsOf, chatPrompt, contentText } from './chat.js'
import { Fields } from './fields.js'

/** Reads the JSON body of an Anthropic message. The API demands `max_tokens` and the header `anthropic-version`. */
export function readMessages(body: Buffer, request: HttpRequest): Ask {
  if (request.header('anthropic-version') === undefined) throw new AskError('anthropic-version: header is required')
  const fields = new Fields(body)
  const maxTokens = fields.integer('max_tokens', 1)
  if (maxTokens === undefined) throw new AskError('max_tokens: Field required')
  const { texts, whole } = chatPrompt(fields.required('messages'))
  const system = contentText(fields.get('system'))
  const prompt = system === '' ? { texts, whole } : { texts: [system, ...texts], whole: `system\n${system}\n${whole}` }
  const tool = firstTool(fields.get('tools'))
  return { ...fields.common(), includeUsage: true, maxTokens, prompt, promptChars: charsOf(prompt), ...(tool === undefined ? {} : { tool }) }
}

function firstTool(tools: unknown): string | undefined {
  const name = Array.isArray(tools) ? (tools[0] as { name?: unknown } | undefined)?.name : undefined
  return typeof name === 'string' ? name : undefined
}
