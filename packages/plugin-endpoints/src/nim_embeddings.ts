import { defineEndpoint, type Endpoint, type Turn, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { contentsOf, encodeError, onlyTurn } from './body/turn.js'
import { EmbeddingsReader } from './decode/embeddings.js'
import { FrameDecoder } from './decode/frame-decoder.js'

/** NVIDIA NeMo Retriever embedding NIM: texts, images as data URLs, or both in pairs. */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const turn = onlyTurn(input, 'nim_embeddings')
      return jsonRequest(merged({ model: modelOf(turn, context.models), input: inputsOf(turn) }, context.extraInputs, turn), context)
    },
    decoder: () => new FrameDecoder(new EmbeddingsReader()),
    inputTexts,
  }),
})

function inputsOf(turn: Turn): string[] {
  const texts = contentsOf(turn.texts)
  const images = contentsOf(turn.images)
  if (images.length === 0) return texts
  if (texts.length === 0) return images
  if (texts.length !== images.length) throw encodeError(`nim_embeddings pairs texts with images, so that there must be as many of each, got ${texts.length} texts and ${images.length} images`)
  return texts.map((text, i) => `${text} ${images[i]!}`)
}
