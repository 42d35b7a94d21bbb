import type { Turn } from '@aiperf/core'
import { contentsOf, encodeError } from './turn.js'

/** The one prompt of endpoints that take no more: the turn's first text. */
export function promptOf(turn: Turn, endpoint: string): string {
  const prompt = contentsOf(turn.texts)[0]
  if (prompt === undefined) throw encodeError(`${endpoint} needs a prompt, got a turn without text`)
  return prompt
}
