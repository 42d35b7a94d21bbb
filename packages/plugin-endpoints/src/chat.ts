import { defineEndpoint, type Conversational, type Endpoint, type WireRequest } from '@aiperf/core'
import { chatBody } from './body/chat-body.js'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest } from './body/json-request.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { ChatReader } from './decode/openai-chat.js'
import { answerOf } from './decode/tool-calls.js'
import type options from './chat.options.js'

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
