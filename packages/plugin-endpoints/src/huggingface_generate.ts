import { defineEndpoint, type Endpoint, type JsonObject, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest } from './body/json-request.js'
import { contentsOf, onlyTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { TgiReader } from './decode/tgi.js'

/** Hugging Face Text Generation Inference. Extra inputs are generation parameters and stand among them. */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const turn = onlyTurn(input, 'huggingface_generate')
      const limit: JsonObject = { ...(turn.maxTokens === undefined ? {} : { max_new_tokens: turn.maxTokens }), ...(turn.stop === undefined ? {} : { stop: turn.stop }) }
      return jsonRequest({ inputs: contentsOf(turn.texts).join(' '), parameters: { ...limit, ...context.extraInputs }, ...turn.extraBody }, context)
    },
    decoder: () => new FrameDecoder(new TgiReader()),
    inputTexts,
  }),
})
