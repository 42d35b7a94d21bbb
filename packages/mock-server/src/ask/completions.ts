import { AskError, type Ask, type Prompt } from './ask.js'
import { charsOf } from './chat.js'
import { Fields } from './fields.js'

/** Reads the JSON body of a text completion. */
export function readCompletion(body: Buffer): Ask {
  const fields = new Fields(body)
  const prompt = completionPrompt(fields.required('prompt'))
  return { ...fields.common(), prompt, promptChars: charsOf(prompt) }
}

/** A prompt is text, a list of texts, or token ids; an id counts as 4 characters. */
function completionPrompt(prompt: unknown): Prompt {
  const texts = [prompt].flat(2).map((item) => (typeof item === 'number' ? `${item}`.padEnd(4).slice(0, 4) : item))
  if (!texts.every((text) => typeof text === 'string')) throw new AskError('prompt: must be text, a list of texts, or token ids')
  return { texts, whole: texts.join('') }
}
