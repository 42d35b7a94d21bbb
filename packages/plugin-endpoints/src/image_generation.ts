import { defineEndpoint, type Endpoint, type JsonObject, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { promptOf } from './body/prompt.js'
import { lastTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { ImagesReader } from './decode/images.js'

/** OpenAI image generation. */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const turn = lastTurn(input)
      const body: JsonObject = { prompt: promptOf(turn, 'image_generation'), model: modelOf(turn, context.models), response_format: 'b64_json', n: 1 }
      if (context.streaming) body['stream'] = true
      return jsonRequest(merged(body, context.extraInputs, turn), context)
    },
    decoder: () => new FrameDecoder(new ImagesReader()),
    inputTexts,
  }),
})
