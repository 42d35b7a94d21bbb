import { defineEndpoint, type Conversational, type EncodeInput, type EndpointContext, type Json, type JsonObject, type Turn } from '@aiperf/core'
import { QuillDecoder } from './quill-decoder.js'
import type options from './quill.options.js'

type Options = { quillWarmth: number; quillThinks: boolean }
const encoder = new TextEncoder()

/** What Quill said goes into the next request as it came, without its thoughts. */
const conversational: Conversational = {
  reply(deltas) {
    const say = deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('')
    return say === '' ? undefined : { message: { by: 'quill', say } }
  },
}

export default defineEndpoint<typeof options>({
  create: (context) => ({
    encode: (input) => ({
      method: 'POST',
      contentType: 'application/json',
      accept: context.streaming ? 'application/x-ndjson' : 'application/json',
      body: encoder.encode(JSON.stringify(bodyOf(input, context))),
      headers: { 'Quill-Version': '2' },
    }),
    decoder: () => new QuillDecoder(),
    inputTexts,
    conversational,
  }),
})

function bodyOf({ turns, replies, session }: EncodeInput, { options, streaming, models, extraInputs }: EndpointContext<Options>): JsonObject {
  const talk: Json[] = []
  turns.forEach((turn, i) => {
    talk.push({ by: 'user', say: textsOf(turn).join('\n'), ...picturesOf(turn) })
    const reply = replies[i]
    if (reply !== undefined) talk.push(reply)
  })
  const last = turns.at(-1)!
  return {
    engine: last.model ?? models[0]!,
    ...(session.system === undefined ? {} : { manner: session.system }),
    talk,
    stream: streaming,
    style: { warmth: options.quillWarmth, thinks: options.quillThinks },
    ...(last.maxTokens === undefined ? {} : { atMost: last.maxTokens }),
    ...extraInputs,
    ...last.extraBody,
  }
}

const textsOf = (turn: Turn): string[] => (turn.texts ?? []).flatMap(({ contents }) => contents)

function picturesOf(turn: Turn): { pictures?: string[] } {
  const pictures = (turn.images ?? []).flatMap(({ contents }) => contents)
  return pictures.length === 0 ? {} : { pictures }
}

/** The manner and what each side said, in order: what Quill tokenizes. */
function inputTexts(body: Json): string[] {
  const { manner, talk } = body as { manner?: Json; talk?: Json }
  const said = Array.isArray(talk) ? talk.map((line) => (line as JsonObject | null)?.['say']) : []
  return [manner, ...said].filter((text): text is string => typeof text === 'string' && text !== '')
}
