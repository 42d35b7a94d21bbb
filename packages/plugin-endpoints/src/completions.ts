import { defineEndpoint, type Endpoint, type JsonObject, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { withUsage } from './body/stream-options.js'
import { contentsOf, onlyTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { CompletionsReader } from './decode/openai-completions.js'

/** OpenAI completions: a bare prompt, no conversation; system and context prompts have no place in it. */
export default defineEndpoint<never>({
  create: (context): Endpoint => ({
    encode(input): WireRequest {
      const turn = onlyTurn(input, 'completions')
      const prompts = contentsOf(turn.texts)
      const body: JsonObject = { prompt: prompts.length === 1 ? prompts[0]! : prompts, model: modelOf(turn, context.models), stream: context.streaming }
      if (turn.maxTokens !== undefined && turn.maxTokens > 0) body['max_tokens'] = turn.maxTokens
      if (turn.stop) body['stop'] = turn.stop
      return jsonRequest(withUsage(merged(body, context.extraInputs, turn), context.perChunkUsage), context)
    },
    decoder: () => new FrameDecoder(new CompletionsReader()),
    inputTexts,
  }),
})
