import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged } from './body/json-request.js'
import { rankingOf } from './body/ranking.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { RankingsReader } from './decode/rankings.js'

/** Hugging Face Text Embeddings Inference, `/rerank` (https://huggingface.github.io/text-embeddings-inference). */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const { turn, query, passages } = rankingOf(input, 'hf_tei_rankings')
      return jsonRequest(merged({ query, texts: passages }, context.extraInputs, turn), context)
    },
    decoder: () => new FrameDecoder(new RankingsReader(['', 'results'])),
    inputTexts,
  }),
})
