import { ConfigurationError, defineEndpoint, type Conversational, type EncodeInput, type Endpoint, type EndpointContext, type Json, type JsonObject, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { inputAudio } from './body/media.js'
import { messagesOf, toolsOf, type MessageForm } from './body/messages.js'
import { withUsage } from './body/stream-options.js'
import { encodeError, lastTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { arrayOf, objectOf, stringOf } from './decode/json.js'
import { ResponsesReader } from './decode/openai-responses.js'
import { answerOf } from './decode/tool-calls.js'

/** Output items that a server does not take back as input. */
const NOT_REPLAYED = new Set(['web_search_call', 'file_search_call', 'image_generation_call', 'code_interpreter_call', 'computer_call', 'reasoning'])

const FORM: MessageForm = {
  forceParts: false,
  message: { type: 'message' },
  text: (text) => ({ type: 'input_text', text }),
  image: (url) => ({ type: 'input_image', image_url: url }),
  audio: (content) => ({ type: 'input_audio', input_audio: inputAudio(content) }),
  video: () => {
    throw encodeError('the Responses API takes no video', 'use the endpoint type chat, or a dataset without video')
  },
}

/**
 * OpenAI Responses. With `store: true` among the extra inputs a conversation is kept by the server: each turn sends what
 * is new and the id of the answer before.
 */
export default defineEndpoint<never>({
  create(context): Endpoint {
    const stateful = context.extraInputs['store'] === true
    if (stateful && !context.useServerTokenCount) {
      throw new ConfigurationError([
        { flags: ['--extra-inputs', '--use-server-token-count'], message: 'With store:true the server holds the conversation, so that its input cannot be counted here.', hint: 'Give --use-server-token-count, or drop store:true.' },
      ])
    }
    return {
      encode: (input): WireRequest => jsonRequest(bodyOf(input, context), context),
      decoder: () => new FrameDecoder(new ResponsesReader()),
      inputTexts,
      conversational: conversational(stateful),
    }
  },
})

function bodyOf(input: EncodeInput, context: EndpointContext): JsonObject {
  const turn = lastTurn(input)
  const { session, previousId } = input
  const since: Pick<EncodeInput, 'turns' | 'replies'> = previousId === undefined ? input : { turns: [turn], replies: [] }
  const items = messagesOf(since, FORM).filter((item) => !NOT_REPLAYED.has(stringOf(objectOf(item)?.['type'])))
  if (session.userContext && previousId === undefined) items.unshift({ type: 'message', role: 'user', content: session.userContext })
  const body: JsonObject = { input: items, model: modelOf(turn, context.models), stream: context.streaming }
  if (session.system) body['instructions'] = session.system
  if (turn.maxTokens !== undefined) body['max_output_tokens'] = turn.maxTokens
  const tools = toolsOf(input.turns)
  if (tools !== undefined) body['tools'] = tools
  if (previousId !== undefined) body['previous_response_id'] = previousId
  const whole = merged(body, context.extraInputs, turn)
  return context.useServerTokenCount ? withUsage(whole, false) : whole
}

function conversational(stateful: boolean): Conversational {
  return {
    reply(deltas) {
      const failed = deltas.some((d) => d.kind === 'error')
      let id: string | undefined
      const items = new Map<string, Json>()
      for (const delta of deltas) {
        if (delta.kind !== 'reply') continue
        if (delta.id !== undefined) id = delta.id
        // The same item comes when it is done and again with the whole response; the later one is complete.
        if (delta.item !== undefined) items.set(stringOf(objectOf(delta.item)?.['id']) || `${items.size}`, delta.item)
      }
      const { text, reasoning } = answerOf(deltas)
      const kept = failed ? [] : [...items.values()].filter((item) => !NOT_REPLAYED.has(stringOf(objectOf(item)?.['type'])))
      const content = text || reasoning
      const message: Json | undefined = kept.some(hasContent) ? kept : content === '' ? undefined : { type: 'message', role: 'assistant', content }
      const completed = !failed && deltas.some((d) => d.kind === 'finish' && d.reason === 'completed')
      if (message === undefined) return undefined
      return stateful && completed && id !== undefined ? { message, id } : { message }
    },
  }
}

function hasContent(item: Json): boolean {
  const object = objectOf(item)
  return object !== undefined && (object['type'] !== 'message' || typeof object['content'] === 'string' || arrayOf(object['content']).length > 0)
}
