import { defineEndpoint, type Endpoint, type WireRequest } from '@aiperf/core'
import { formFields } from './body/form-parts.js'
import { inputAudio } from './body/media.js'
import { modelOf } from './body/json-request.js'
import { base64, boundaryFor, formRequest, type FormPart } from './body/multipart.js'
import { contentsOf, encodeError, onlyTurn } from './body/turn.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { TranscriptionReader } from './decode/transcription.js'

const MIME: Readonly<Record<string, string>> = {
  wav: 'audio/wav', mp3: 'audio/mpeg', mpga: 'audio/mpeg', mpeg: 'audio/mpeg', flac: 'audio/flac', ogg: 'audio/ogg', m4a: 'audio/mp4', mp4: 'audio/mp4', webm: 'audio/webm',
}

/** OpenAI audio transcriptions (https://platform.openai.com/docs/api-reference/audio/createTranscription). */
export default defineEndpoint<never>({
  create(context): Endpoint {
    const boundary = boundaryFor(context)
    return {
      encode(input): WireRequest {
        const turn = onlyTurn(input, 'audio_transcription')
        const audio = contentsOf(turn.audios)[0]
        if (audio === undefined) throw encodeError('audio_transcription needs audio, got a turn without it')
        const { data, format } = inputAudio(audio)
        const file: FormPart = { name: 'file', file: base64(data, 'audio'), fileName: `audio.${format}`, contentType: MIME[format] ?? `audio/${format}` }
        return formRequest([file, ...formFields({ model: modelOf(turn, context.models) }, [context.extraInputs, turn.extraBody], ['file'])], boundary, false)
      },
      decoder: () => new FrameDecoder(new TranscriptionReader()),
      inputTexts: () => [],
    }
  },
})
