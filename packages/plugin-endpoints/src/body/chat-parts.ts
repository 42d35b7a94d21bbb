import type { JsonObject } from '@aiperf/core'
import { inputAudio } from './media.js'
import type { PartForms } from './messages.js'

/** Parts as OpenAI's chat completions name them; `uuid` and a missing image are vLLM's, for images it has cached. */
export const CHAT_PARTS: PartForms = {
  text: (text) => ({ type: 'text', text }),
  image: (url, uuid) => {
    const part: JsonObject = { type: 'image_url', image_url: url === '' ? null : { url } }
    return uuid ? { ...part, uuid } : part
  },
  audio: (content) => ({ type: 'input_audio', input_audio: inputAudio(content) }),
  video: (url) => ({ type: 'video_url', video_url: { url } }),
}
