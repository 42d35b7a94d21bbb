import type { EncodeInput, EndpointContext, JsonObject } from '@aiperf/core'
import { CHAT_PARTS } from './chat-parts.js'
import { merged, modelOf } from './json-request.js'
import { messagesOf, toolsOf, withContext } from './messages.js'
import { withUsage } from './stream-options.js'
import { lastTurn } from './turn.js'

/** Body of a chat completion request; also that of embedding models which take a conversation. */
export function chatBody(input: EncodeInput, context: EndpointContext<{ forceContentParts: boolean }>): JsonObject {
  const turn = lastTurn(input)
  const { streaming, models, useLegacyMaxTokens, extraInputs } = context
  const messages = messagesOf(input, { ...CHAT_PARTS, forceParts: context.options.forceContentParts })
  const body: JsonObject = { messages: withContext(messages, input.session, CHAT_PARTS.text), model: modelOf(turn, models), stream: streaming }
  const tools = toolsOf(input.turns)
  if (tools !== undefined) body['tools'] = tools
  if (turn.maxTokens !== undefined) body[useLegacyMaxTokens ? 'max_tokens' : 'max_completion_tokens'] = turn.maxTokens
  if (turn.stop) body['stop'] = turn.stop
  return withUsage(merged(body, extraInputs, turn), context.perChunkUsage)
}
