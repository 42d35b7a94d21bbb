import { isJsonObject, type Json, type JsonObject, type LoadReport, type Session, type Turn } from '@aiperf/core'
import type { TableRow } from '../tables/tableRow.js'
import { messagesOf } from './messages.js'
import { RowReader } from './rowReader.js'

/** The published files carry this in place of prompts whose licence forbids copying them. */
const PLACEHOLDER = /should be fetched from the source/i
/** Whether a row is a question of SPEED-Bench. */
export const looksLikeQuestion = (row: Json | undefined): boolean =>
  isJsonObject(row) && typeof row['question_id'] === 'string' && typeof row['category'] === 'string' && Array.isArray(row['messages'])

/** Reads a question; undefined when it was reported as bad. */
export function readQuestion(from: TableRow, report: LoadReport): { category: string; session: Session } | undefined {
  const row = new RowReader(from, report)
  row.require('question_id', 'category', 'messages')
  const id = row.id('question_id')
  const category = row.text('category')
  const turns: Turn[] = []
  let system: string | undefined
  for (const [at, message] of (messagesOf(row) ?? []).entries()) {
    const { role, content } = message as JsonObject
    if (typeof content !== 'string' || content.trim() === '') row.wrong(`messages[${at}].content: expected a text that is not empty`)
    else if (PLACEHOLDER.test(content)) row.wrong(`messages[${at}].content: expected the prompt, got the placeholder of the published file (fetch the full data first)`)
    else if (role === 'system') system = content
    else if (role === 'user') turns.push({ texts: [{ contents: [content] }] })
  }
  if (!row.accept() || id === undefined || category === undefined) return undefined
  if (turns.length === 0) return report.bad(from, 'messages: expected at least one message of the user') as undefined
  return { category, session: { id, turns, ...(system === undefined ? {} : { system }) } }
}
