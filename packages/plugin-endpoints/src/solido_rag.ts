import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { contentsOf, lastTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { SolidoReader } from './decode/solido.js'

/** Solido's retrieval-augmented answers. */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const turn = lastTurn(input)
      const body = { query: contentsOf(turn.texts), filters: { family: 'Solido', tool: 'SDE' }, inference_model: modelOf(turn, context.models) }
      return jsonRequest(merged(body, context.extraInputs, turn), context)
    },
    decoder: () => new FrameDecoder(new SolidoReader()),
    inputTexts,
  }),
})
