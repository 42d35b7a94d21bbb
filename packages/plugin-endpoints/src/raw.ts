import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { encodeError } from './body/turn.js'
import { DetectingReader } from './decode/detected.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { responseSearch } from './decode/response-path.js'
import type options from './raw.options.js'

/** Sends the dataset's payloads as they are, to the URL as it is. */
export default defineEndpoint<typeof options>({
  async create({ options }): Promise<Endpoint> {
    const search = await responseSearch(options.responseField ?? 'text')
    return {
      encode(): WireRequest {
        throw encodeError('raw sends whole payloads, and this turn holds none', 'use a dataset of payloads (raw_payload, inputs_json), or another endpoint type')
      },
      decoder: () => new FrameDecoder(new DetectingReader(search, true)),
      inputTexts,
    }
  },
})
