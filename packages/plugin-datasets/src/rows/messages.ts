import { isJsonObject, type Json } from '@aiperf/core'
import { shown, type RowReader } from './rowReader.js'

/** A list of chat messages in wire form: not empty, each an object with a role. */
export function messagesOf(row: RowReader, key = 'messages'): Json[] | undefined {
  const messages = row.array(key, 'a list of messages')
  if (!messages) return undefined
  if (messages.length === 0) return row.expected(key, 'at least one message')
  for (const [at, message] of messages.entries()) {
    if (!isJsonObject(message)) return row.wrong(`${key}[${at}]: expected an object with "role", got ${shown(message)}`)
    if (typeof message['role'] !== 'string' || message['role'] === '') return row.wrong(`${key}[${at}].role: expected a text, got ${shown(message['role'])}`)
  }
  return messages
}
