import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, test } from 'vitest'
import { testPlugin } from '@aiperf/conformance'
import { ANSWERS } from './answers.js'

// Credentials of nobody, from nowhere else.
const folder = mkdtempSync(`${tmpdir()}/aiperf-aws-`)
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-north-1', AWS_CONFIG_FILE: `${folder}/config`, AWS_SHARED_CREDENTIALS_FILE: `${folder}/credentials` })

const ranking = { turn: { texts: [{ name: 'query', contents: ['What is tea?'] }, { name: 'passages', contents: ['A drink.', 'A number.'] }] } }
const image = { images: [{ name: 'image_url', contents: ['data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='] }] }
const audio = { audios: [{ name: 'input_audio', contents: ['wav,UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQgAAAAAAAEAAgADAA=='] }] }
const VERBATIM = 'payloads of the dataset are sent as they are, by the engine'
const NOT_IN_TEMPLATE = 'a template holds what its author put into it'

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    endpoint: {
      chat: { answers: ANSWERS.chat },
      completions: { answers: ANSWERS.completions },
      messages: { answers: ANSWERS.messages },
      huggingface_generate: { answers: ANSWERS.huggingface_generate },
      embeddings: { answers: ANSWERS.embeddings },
      cohere_rankings: ranking,
      hf_tei_rankings: ranking,
      nim_rankings: ranking,
      image_edit: { turn: { texts: [{ name: 'text', contents: ['A hat.'] }], ...image } },
      image_retrieval: { turn: image },
      audio_transcription: { turn: audio },
      raw: { skip: Object.fromEntries(['requests', 'streaming', 'input: image', 'input: audio', 'input: video', 'what a server tokenizes'].map((title) => [title, VERBATIM])) },
      template: {
        options: { payloadTemplate: '{"prompt": {{ text | tojson }}, "stream": {{ stream | tojson }}}' },
        skip: { 'input: image': NOT_IN_TEMPLATE, 'input: audio': NOT_IN_TEMPLATE, 'input: video': NOT_IN_TEMPLATE },
      },
    },
    transport: { sagemaker: { path: '/endpoints/my-model' } },
  },
})
