import { defineEndpoint, type Conversational, type EncodeInput, type Endpoint, type EndpointContext, type JsonObject, type WireRequest } from '@aiperf/core'
import { CHAT_PARTS } from './body/chat-parts.js'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { messagesOf, toolsOf, withContext } from './body/messages.js'
import { withUsage } from './body/stream-options.js'
import { lastTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { ChatReader } from './decode/openai-chat.js'
import { answerOf } from './decode/tool-calls.js'
import type options from './chat.options.js'

type Context = EndpointContext<(typeof options)['_zod']['output']>

/** Body of a chat completion request; also that of embedding models which take a conversation. */
export function chatBody(input: EncodeInput, context: Context): JsonObject {
  const turn = lastTurn(input)
  const { streaming, models, useLegacyMaxTokens, extraInputs } = context
  const messages = messagesOf(input, { ...CHAT_PARTS, forceParts: context.options.forceContentParts })
  const body: JsonObject = { messages: withContext(messages, input.session, CHAT_PARTS.text), model: modelOf(turn, models), stream: streaming }
  const tools = toolsOf(input.turns)
  if (tools !== undefined) body['tools'] = tools
  if (turn.maxTokens !== undefined) body[useLegacyMaxTokens ? 'max_tokens' : 'max_completion_tokens'] = turn.maxTokens
  return withUsage(merged(body, extraInputs, turn), context.perChunkUsage)
}

/** The reply as an assistant message: text, tool calls put together; reasoning only where there is nothing else. */
const conversational: Conversational = {
  reply(deltas) {
    const { text, reasoning, calls } = answerOf(deltas)
    if (calls.length === 0) {
      const content = text || reasoning
      return content === '' ? undefined : { message: { role: 'assistant', content } }
    }
    const tool_calls = calls.map((call) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }))
    return { message: { role: 'assistant', content: text === '' ? null : text, tool_calls } }
  },
}

/** OpenAI chat completions (https://platform.openai.com/docs/api-reference/chat), and the servers that took them over. */
export default defineEndpoint<typeof options>({
  create: (context): Endpoint => ({
    encode: (input): WireRequest => jsonRequest(chatBody(input, context), context),
    decoder: () => new FrameDecoder(new ChatReader()),
    inputTexts,
    conversational,
  }),
})
