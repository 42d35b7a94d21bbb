import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { rankingOf } from './body/ranking.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { RankingsReader } from './decode/rankings.js'

/** NVIDIA NeMo Retriever reranking NIM (https://docs.nvidia.com/nim/nemo-retriever/text-reranking). */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const { turn, query, passages } = rankingOf(input, 'nim_rankings')
      const body = { model: modelOf(turn, context.models), query: { text: query }, passages: passages.map((text) => ({ text })) }
      return jsonRequest(merged(body, context.extraInputs, turn), context)
    },
    decoder: () => new FrameDecoder(new RankingsReader(['rankings'])),
    inputTexts,
  }),
})
