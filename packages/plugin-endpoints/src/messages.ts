import { defineEndpoint, type Conversational, type EncodeInput, type Endpoint, type EndpointContext, type Json, type JsonObject, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { inlineMedia } from './body/media.js'
import { messagesOf, toolsOf, type MessageForm } from './body/messages.js'
import { encodeError, lastTurn } from './body/turn.js'
import { MessagesReader, blocksOf } from './decode/anthropic-messages.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { stringOf } from './decode/json.js'
import { answerOf } from './decode/tool-calls.js'

/** The API demands a limit; this is the one where the dataset names none. */
const DEFAULT_MAX_TOKENS = 1024
const HEADERS = { 'anthropic-version': '2023-06-01' }

const unsupported = (what: string) => (): never => {
  throw encodeError(`the Messages API takes no ${what}`, `use the endpoint type chat, or a dataset without ${what}`)
}
const textBlock = (text: string): JsonObject => ({ type: 'text', text })

const FORM: MessageForm = {
  forceParts: false,
  text: textBlock,
  image: (url) => {
    const media = url.startsWith('data:') ? inlineMedia(url) : undefined
    return { type: 'image', source: media === undefined ? { type: 'url', url } : { type: 'base64', media_type: media.mime ?? 'image/png', data: media.base64 } }
  },
  audio: unsupported('audio'),
  video: unsupported('video'),
}

/** Anthropic Messages (https://docs.anthropic.com/en/api/messages). */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode: (input): WireRequest => jsonRequest(bodyOf(input, context), context, HEADERS),
    decoder: () => new FrameDecoder(new MessagesReader()),
    inputTexts,
    conversational,
  }),
})

function bodyOf(input: EncodeInput, context: EndpointContext): JsonObject {
  const turn = lastTurn(input)
  const messages = messagesOf(input, FORM)
  if (input.session.userContext) messages.unshift({ role: 'user', content: input.session.userContext })
  const body: JsonObject = { model: modelOf(turn, context.models), messages, max_tokens: turn.maxTokens ?? DEFAULT_MAX_TOKENS }
  if (turn.stop) body['stop_sequences'] = turn.stop
  if (context.streaming) body['stream'] = true
  const system = systemOf(input)
  if (system !== undefined) body['system'] = system
  const tools = toolsOf(input.turns)
  if (tools !== undefined) body['tools'] = tools
  return merged(body, context.extraInputs, turn)
}

/** The system prompt, before what the dataset holds in wire form. */
function systemOf({ turns, session }: EncodeInput): Json | undefined {
  const raw = turns.findLast((turn) => turn.rawSystem !== undefined)?.rawSystem
  if (!session.system) return raw
  if (raw === undefined || raw === null) return session.system
  return Array.isArray(raw) ? [textBlock(session.system), ...raw] : [textBlock(session.system), textBlock(stringOf(raw))]
}

/** The blocks of the answer in their own order, signatures included; plain text where there is nothing but text. */
const conversational: Conversational = {
  reply(deltas) {
    const { text, reasoning, calls } = answerOf(deltas)
    // Empty text blocks are refused as input.
    const blocks = blocksOf(deltas).filter((block) => block['type'] !== 'text' || block['text'] !== '')
    const plain = blocks.every((block) => block['type'] === 'text')
    if (!plain && (text !== '' || calls.length > 0)) return { message: { role: 'assistant', content: blocks } }
    const content = text || reasoning
    return content === '' ? undefined : { message: { role: 'assistant', content } }
  },
}
