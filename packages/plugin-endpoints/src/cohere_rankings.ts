import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { rankingOf } from './body/ranking.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { RankingsReader } from './decode/rankings.js'

/** Cohere rerank (https://docs.cohere.com/reference/rerank), as vLLM and others serve it too. */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const { turn, query, passages } = rankingOf(input, 'cohere_rankings')
      return jsonRequest(merged({ model: modelOf(turn, context.models), query, documents: passages }, context.extraInputs, turn), context)
    },
    decoder: () => new FrameDecoder(new RankingsReader(['results'])),
    inputTexts,
  }),
})
