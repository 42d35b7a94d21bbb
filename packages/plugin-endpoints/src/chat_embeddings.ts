import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest } from './body/json-request.js'
import { chatBody } from './body/chat-body.js'
import { ChatEmbeddingsReader } from './decode/embeddings.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import type options from './chat.options.js'

/** Embeddings of a conversation, images included: the body of a chat, the answer of an embedding (vLLM). */
export default defineEndpoint<typeof options>({
  create: (context): Endpoint => ({
    encode: (input): WireRequest => jsonRequest(chatBody(input, context), context),
    decoder: () => new FrameDecoder(new ChatEmbeddingsReader()),
    inputTexts,
  }),
})
