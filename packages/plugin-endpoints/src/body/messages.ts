import type { EncodeInput, Json, JsonObject, Turn } from '@aiperf/core'
import { arrayOf, objectOf } from '../decode/json.js'

/** How an API writes the parts of a message. Each throws where the API has no such part. */
export interface PartForms {
  text(text: string): JsonObject
  image(url: string, uuid: string | undefined): JsonObject
  audio(content: string): JsonObject
  video(url: string): JsonObject
}

export interface MessageForm extends PartForms {
  /** Always an array of parts, never a plain string. */
  forceParts: boolean
  /** Members of every message made here, before role and content. */
  message?: JsonObject
}

/** All messages of a request, oldest first: those of its turns, each followed by the live reply where there is one. */
export function messagesOf({ turns, replies }: Pick<EncodeInput, 'turns' | 'replies'>, form: MessageForm): Json[] {
  let messages: Json[] = []
  turns.forEach((turn, k) => {
    if (turn.resetContext) messages = []
    if (turn.rawMessages !== undefined) messages.push(...turn.rawMessages)
    else messages.push({ ...form.message, role: turn.role ?? 'user', content: contentOf(turn, form) })
    const reply = replies[k]
    // A reply may be several items (tool calls and text of some APIs).
    if (Array.isArray(reply)) messages.push(...reply)
    else if (reply !== undefined) messages.push(reply)
  })
  return messages
}

function contentOf(turn: Turn, form: MessageForm): Json {
  const { texts, images, audios, videos } = turn
  const hasMedia = [images, audios, videos].some((items) => items !== undefined && items.length > 0)
  if (!form.forceParts && !hasMedia && texts?.length === 1 && texts[0]!.contents.length === 1) return texts[0]!.contents[0]!
  const parts: JsonObject[] = []
  for (const item of texts ?? []) for (const text of item.contents) if (text !== '') parts.push(form.text(text))
  for (const item of images ?? []) {
    item.contents.forEach((url, i) => {
      const uuid = item.uuids?.[i]
      if (url !== '' || uuid) parts.push(form.image(url, uuid))
    })
  }
  for (const item of audios ?? []) for (const content of item.contents) if (content !== '') parts.push(form.audio(content))
  for (const item of videos ?? []) for (const url of item.contents) if (url !== '') parts.push(form.video(url))
  return parts.length === 0 ? '' : parts
}

/** The tools of the most recent turn that names any. */
export function toolsOf(turns: readonly Turn[]): Json[] | undefined {
  return turns.findLast((turn) => turn.rawTools !== undefined)?.rawTools
}

/** Puts a system prompt first, merged into a system message that leads already, and a user-context message behind it. */
export function withContext(messages: Json[], session: EncodeInput['session'], textPart: (text: string) => JsonObject): Json[] {
  const { system, userContext } = session
  const first = objectOf(messages[0])
  const led = first?.['role'] === 'system' ? first : undefined
  const rest = led === undefined ? messages : messages.slice(1)
  const head: Json[] = []
  if (system !== undefined && system !== '') head.push(led === undefined ? { role: 'system', content: system } : { ...led, content: prefixed(system, led['content'], textPart) })
  else if (led !== undefined) head.push(led)
  if (userContext !== undefined && userContext !== '') head.push({ role: 'user', content: userContext })
  return head.length === 0 ? messages : [...head, ...rest]
}

function prefixed(system: string, content: Json | undefined, textPart: (text: string) => JsonObject): Json {
  if (Array.isArray(content)) return [textPart(system), ...arrayOf(content)]
  return typeof content === 'string' && content !== '' ? `${system}\n\n${content}` : system
}
