import { AskError, type Ask, type Prompt } from './ask.js'
import { Fields } from './fields.js'

/** Reads the JSON body of a chat completion. */
export function readChat(body: Buffer): Ask {
  const fields = new Fields(body)
  const prompt = chatPrompt(fields.required('messages'))
  const tool = firstTool(fields.get('tools'))
  return { ...fields.common(), prompt, promptChars: charsOf(prompt), ...(tool === undefined ? {} : { tool }) }
}

/** Characters of a prompt's texts. */
export function charsOf(prompt: Prompt): number {
  return prompt.texts.reduce((sum, text) => sum + text.length, 0)
}

/** The prompt that a list of messages is. */
export function chatPrompt(messages: unknown): Prompt {
  if (!Array.isArray(messages) || messages.length === 0) throw new AskError('messages: must be a list with at least one message')
  const texts: string[] = []
  let whole = ''
  for (const message of messages as Record<string, unknown>[]) {
    if (typeof message !== 'object' || message === null) throw new AskError('messages: each must be an object')
    const role = typeof message['role'] === 'string' ? message['role'] : 'user'
    const text = contentText(message['content'])
    texts.push(text)
    whole += `${role}\n${text}\n`
  }
  return { texts, whole: `${whole}assistant\n` }
}

/** The text of a message's content: a string, or the text parts of a list. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return (content as { text?: unknown }[]).map((part) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

function firstTool(tools: unknown): string | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return undefined
  const name = (tools[0] as { function?: { name?: unknown } } | null)?.function?.name
  return typeof name === 'string' ? name : 'tool'
}
