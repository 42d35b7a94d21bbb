import { describe, expect, it } from 'vitest'
import transcription from './audio_transcription.js'
import { stream, whole } from '../test/decode.js'
import { endpoint, input, text } from '../test/endpoint.js'
import { formOf } from '../test/form.js'

describe('audio_transcription', async () => {
  const plain = await endpoint(transcription, { extraInputs: { language: 'en', file: 'no' } })
  const audio = (...contents: string[]) => input({ audios: [{ contents }] })

  it('sends the audio as a file named by its format', async () => {
    expect(await formOf(plain.encode(audio('mp3,QUJD')))).toEqual([['file', { name: 'audio.mp3', type: 'audio/mpeg', bytes: Buffer.from('ABC') }], ['model', 'm'], ['language', 'en']])
    expect((await formOf(plain.encode(audio('data:audio/x-wav;base64,QUJD'))))[0]).toEqual(['file', { name: 'audio.wav', type: 'audio/wav', bytes: Buffer.from('ABC') }])
    expect((await formOf(plain.encode(audio('aiff,QUJD'))))[0]).toMatchObject(['file', { name: 'audio.aiff', type: 'audio/aiff' }])
    expect(() => plain.encode(input(text('x')))).toThrow(/needs audio/)
    expect(() => plain.encode(audio('wav,%%%'))).toThrow(/no base64/)
  })

  it('reads JSON, plain text, and streams', () => {
    expect(whole(plain, { text: 'Hello', usage: { type: 'tokens', input_tokens: 10, output_tokens: 2 } })).toEqual([{ kind: 'text', text: 'Hello' }, { kind: 'usage', usage: { prompt: 10, completion: 2 } }])
    expect(whole(plain, 'Hello there\n')).toEqual([{ kind: 'text', text: 'Hello there\n' }])
    expect(whole(plain, '42')).toEqual([{ kind: 'text', text: '42' }])
    expect(whole(plain, { text: '' })).toEqual([])
    expect(whole(plain, { foo: 1 })).toMatchObject([{ kind: 'malformed' }])
    expect(stream(plain, { type: 'transcript.text.delta', delta: 'Hel' }, { type: 'transcript.text.delta', delta: 'lo' }, { type: 'transcript.text.done', text: 'Hello', usage: { input_tokens: 1, output_tokens: 2 } })).toEqual([
      { kind: 'text', text: 'Hel' }, { kind: 'text', text: 'lo' }, { kind: 'usage', usage: { prompt: 1, completion: 2 } }, { kind: 'done' },
    ])
    expect(stream(plain, { object: 'transcription.chunk', choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }, '[DONE]')).toEqual([{ kind: 'text', text: 'a' }, { kind: 'finish', reason: 'stop' }, { kind: 'done' }])
  })
})
