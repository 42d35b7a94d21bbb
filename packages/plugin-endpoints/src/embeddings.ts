import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { contentsOf, onlyTurn } from './body/turn.js'
import { EmbeddingsReader } from './decode/embeddings.js'
import { FrameDecoder } from './decode/frame-decoder.js'

/** OpenAI embeddings (https://platform.openai.com/docs/api-reference/embeddings). A limit of tokens has no place in it. */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const turn = onlyTurn(input, 'embeddings')
      return jsonRequest(merged({ model: modelOf(turn, context.models), input: contentsOf(turn.texts) }, context.extraInputs, turn), context)
    },
    decoder: () => new FrameDecoder(new EmbeddingsReader()),
    inputTexts,
  }),
})
