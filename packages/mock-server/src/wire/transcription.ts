import { answerText, type Answer } from '../answer/answer.js'
import type { TranscriptionAsk } from '../ask/transcription.js'
import { asciiJson } from '../http/response.js'
import { dataEvent, DONE, openAiError, type TokenEvent, type Wire, type WireStyle } from './wire.js'

/** OpenAI transcriptions: text as JSON, plain, or as subtitles; or `transcript.text.delta` events. */
export class TranscriptionWire implements Wire {
  readonly early = false
  readonly errorJson = openAiError
  readonly error = dataEvent

  constructor(
    private readonly answer: Answer,
    private readonly style: WireStyle,
    private readonly ask: TranscriptionAsk,
  ) {}

  get wholeType(): string | undefined {
    return this.ask.format.endsWith('json') ? undefined : 'text/plain; charset=utf-8'
  }

  start(): string[] {
    return []
  }

  tokens({ text, first }: TokenEvent): string {
    return dataEvent(`{"type":"transcript.text.delta","delta":"${first ? text.slice(1) : text}"}`)
  }

  end(): string[] {
    const done = dataEvent(asciiJson({ type: 'transcript.text.done', text: this.#text, usage: this.#usage }))
    return this.style.done ? [done, DONE] : [done]
  }

  whole(): string {
    const text = this.#text
    const { format, seconds } = this.ask
    if (format === 'json') return asciiJson({ text, usage: this.#usage })
    if (format === 'text') return `${text}\n`
    if (format === 'srt') return `1\n${clock(0, ',')} --> ${clock(seconds, ',')}\n${text}\n\n`
    if (format === 'vtt') return `WEBVTT\n\n${clock(0, '.')} --> ${clock(seconds, '.')}\n${text}\n\n`
    const segment = { id: 0, seek: 0, start: 0, end: seconds, text: ` ${text}`, tokens: [], temperature: 0, avg_logprob: -0.3, compression_ratio: 1.2, no_speech_prob: 0.01 }
    return asciiJson({ task: 'transcribe', language: 'english', duration: seconds, text, segments: [segment], usage: { type: 'duration', seconds: Math.ceil(seconds) } })
  }

  get #text(): string {
    return answerText(this.answer, 0, this.answer.tokens).slice(1)
  }

  get #usage(): object {
    const { promptTokens, tokens } = this.answer
    const sound = this.ask.otherPromptTokens ?? 0
    return { type: 'tokens', input_tokens: promptTokens, input_token_details: { text_tokens: promptTokens - sound, audio_tokens: sound }, output_tokens: tokens, total_tokens: promptTokens + tokens }
  }
}

function clock(seconds: number, point: ',' | '.'): string {
  return new Date(seconds * 1e3).toISOString().slice(11, 23).replace('.', point)
}
