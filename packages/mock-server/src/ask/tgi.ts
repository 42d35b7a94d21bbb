import type { Ask } from './ask.js'
import { Fields } from './fields.js'

export interface TgiAsk extends Ask {
  /** Whether the answer says how long it is and why it ended. */
  readonly details: boolean
}

/** Reads the JSON body of Text Generation Inference. */
export function readTgi(body: Buffer, stream: boolean): TgiAsk {
  const fields = new Fields(body)
  const prompt = fields.required('inputs') as string
  fields.string('inputs')
  const parameters = new Fields(fields.object('parameters'))
  return {
    model: '',
    stream,
    includeUsage: false,
    usageInEveryChunk: false,
    maxTokens: parameters.integer('max_new_tokens', 1),
    minTokens: 0,
    ignoreEos: parameters.flag('ignore_eos_token'),
    prompt: { texts: [prompt], whole: prompt },
    promptChars: prompt.length,
    details: parameters.flag('details'),
  }
}
