import { isJsonObject, type Json, type JsonObject, type Turn } from '@aiperf/core'
import { audioOf } from './audioOf.js'
import type { Mapping } from './catalog.js'
import { imageOf } from './imageOf.js'

/** Speech longer than this is left out, seconds. */
const LONGEST_SPEECH = 30
const TRANSCRIBE = 'Transcribe the speech in this recording.'

/** Columns that a mapping needs. */
export function columnsOf(mapping: Mapping): string[] {
  switch (mapping.kind) {
    case 'prompt':
      return [mapping.prompt, ...(mapping.image === undefined ? [] : [mapping.image])]
    case 'template':
      return mapping.columns
    case 'first-message':
      return [mapping.conversation, ...(mapping.image === undefined ? [] : [mapping.image])]
    case 'turns':
      return [mapping.prompts]
    case 'question':
      return [mapping.question, mapping.choices, mapping.video]
    case 'audio':
      return [mapping.audio]
  }
}

/** The turns of a row; a text says why it is left out. */
export async function mapRow(row: JsonObject, mapping: Mapping): Promise<Turn[] | string> {
  switch (mapping.kind) {
    case 'prompt':
      return withImage(textOf(row[mapping.prompt]), row, mapping.image)
    case 'template': {
      const values = Object.fromEntries(mapping.columns.map((column) => [column, textOf(row[column]) ?? '']))
      return Object.values(values).includes('') ? 'an empty prompt' : [{ texts: [{ contents: [mapping.template(values)] }] }]
    }
    case 'first-message':
      return withImage(firstMessage(row[mapping.conversation], mapping.content), row, mapping.image)
    case 'turns': {
      const prompts = row[mapping.prompts]
      const texts = (Array.isArray(prompts) ? prompts : [prompts]).map(textOf).filter((text) => text !== undefined)
      return texts.length === 0 ? 'an empty prompt' : texts.map((text) => ({ texts: [{ contents: [text] }] }))
    }
    case 'question': {
      const question = textOf(row[mapping.question])
      const video = row[mapping.video]
      if (question === undefined) return 'an empty prompt'
      const text = [question, ...choicesOf(row[mapping.choices])].join('\n')
      return [{ texts: [{ contents: [text] }], ...(typeof video === 'string' ? { videos: [{ contents: [video] }] } : {}) }]
    }
    case 'audio': {
      const audio = audioOf(row[mapping.audio])
      if (!audio) return 'no audio that can be read'
      if (audio.seconds !== undefined && audio.seconds > LONGEST_SPEECH) return `speech of more than ${LONGEST_SPEECH} s`
      return [{ texts: [{ contents: [TRANSCRIBE] }], audios: [{ contents: [audio.content] }], ...(audio.seconds === undefined ? {} : { audioSeconds: audio.seconds }) }]
    }
  }
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

async function withImage(text: string | undefined, row: JsonObject, column: string | undefined): Promise<Turn[] | string> {
  if (text === undefined) return 'an empty prompt'
  const image = column === undefined ? undefined : await imageOf(row[column])
  return [{ texts: [{ contents: [text] }], ...(image === undefined ? {} : { images: [{ contents: [image] }] }) }]
}

/** The first text of a conversation, which may be a list of lists; marks of where an image stands are taken out. */
function firstMessage(conversation: Json | undefined, key: string): string | undefined {
  const first = Array.isArray(conversation) ? conversation.flat()[0] : undefined
  const text = isJsonObject(first) ? textOf(first[key]) : textOf(first)
  return textOf(text?.replaceAll('<image>', '').trim())
}

/** `A. …` lines of an object or list of choices; those without a text are none. */
function choicesOf(choices: Json | undefined): string[] {
  const entries = Array.isArray(choices) ? choices.map((choice, at): [string, Json] => [String.fromCharCode(65 + at), choice]) : isJsonObject(choices) ? Object.entries(choices) : []
  return entries.flatMap(([letter, choice]) => (textOf(choice) === undefined ? [] : [`${letter}. ${String(choice)}`]))
}
