import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { jsonRequest, merged } from './body/json-request.js'
import { contentsOf, encodeError, onlyTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { RetrievalReader } from './decode/retrieval.js'

/** NVIDIA NIM for object detection, `/v1/infer` (https://docs.nvidia.com/nim/ingestion/object-detection): images as data URLs. */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const turn = onlyTurn(input, 'image_retrieval')
      const images = contentsOf(turn.images)
      if (images.length === 0) throw encodeError('image_retrieval needs an image, got a turn without one')
      return jsonRequest(merged({ input: images.map((url) => ({ type: 'image_url', url })) }, context.extraInputs, turn), context)
    },
    decoder: () => new FrameDecoder(new RetrievalReader()),
    inputTexts: () => [],
  }),
})
