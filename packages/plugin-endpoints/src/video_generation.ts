import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { formFields } from './body/form-parts.js'
import { inputTexts } from './body/input-texts.js'
import { modelOf } from './body/json-request.js'
import { boundaryFor, formRequest } from './body/multipart.js'
import { promptOf } from './body/prompt.js'
import { lastTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { pollStep, VideosReader } from './decode/videos.js'
import type options from './video_generation.options.js'

/** OpenAI videos (https://platform.openai.com/docs/api-reference/videos): a job is submitted, then asked for until done. */
export default defineEndpoint<typeof options>({
  create(context): Endpoint {
    const boundary = boundaryFor(context)
    return {
      encode(input): WireRequest {
        const turn = lastTurn(input)
        const own = { prompt: promptOf(turn, 'video_generation'), model: modelOf(turn, context.models) }
        return formRequest(formFields(own, [context.extraInputs, turn.extraBody]), boundary, false)
      },
      decoder: () => new FrameDecoder(new VideosReader()),
      inputTexts,
      polling: { intervalMs: (context.options.videoPollSeconds ?? 0.1) * 1000, next: (body) => pollStep(body, context.options.downloadVideoContent) },
    }
  },
})
