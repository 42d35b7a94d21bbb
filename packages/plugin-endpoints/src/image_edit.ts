import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { formFields } from './body/form-parts.js'
import { imagePart } from './body/image-file.js'
import { inputTexts } from './body/input-texts.js'
import { modelOf } from './body/json-request.js'
import { boundaryFor, formRequest } from './body/multipart.js'
import { promptOf } from './body/prompt.js'
import { contentsOf, encodeError, lastTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { ImagesReader } from './decode/images.js'

/** Fields that the dataset fills: extra inputs of these names are not sent. */
const RESERVED = ['prompt', 'image', 'url', 'mask']

/** OpenAI image edits (https://platform.openai.com/docs/api-reference/images/createEdit), as SGLang serves them too. */
export default defineEndpoint<never>({
  create(context): Endpoint {
    const boundary = boundaryFor(context)
    return {
      encode(input): WireRequest {
        const turn = lastTurn(input)
        const own = { prompt: promptOf(turn, 'image_edit'), model: modelOf(turn, context.models), response_format: 'b64_json', n: 1 }
        const images = contentsOf(turn.images)
        if (images.length === 0) throw encodeError('image_edit needs an image, got a turn without one')
        const files = images.map((image) => imagePart(images.length === 1 ? 'image' : 'image[]', image))
        return formRequest([...formFields(own, [context.extraInputs, turn.extraBody], RESERVED), ...files], boundary, false)
      },
      decoder: () => new FrameDecoder(new ImagesReader()),
      inputTexts,
    }
  },
})
