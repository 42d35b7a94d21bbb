import type { Session } from './contracts/dataset.js'
import { isJsonObject } from './json.js'

/**
 * A session with this system message, before its own if it has one (a blank line between). Messages in wire form get it
 * as their first message; bodies that are sent as they are, and turns that replace the history, keep what they have.
 */
export function withSystemPrompt(session: Session, text: string): Session {
  const raw = session.turns.some((turn) => turn.rawMessages !== undefined)
  if (!raw) return session.turns.every((turn) => turn.rawPayload !== undefined) ? session : { ...session, system: joined(text, session.system) }
  return {
    ...session,
    turns: session.turns.map((turn, at) => {
      // A turn that carries the whole array begins with the system message; a turn that adds to it does not repeat it.
      if (turn.rawMessages === undefined || (at > 0 && session.contextMode !== 'message_array_with_responses')) return turn
      const [first, ...rest] = turn.rawMessages
      const own = isJsonObject(first) && first['role'] === 'system' && typeof first['content'] === 'string' ? first : undefined
      const messages = own ? [{ ...own, content: joined(text, own['content'] as string) }, ...rest] : [{ role: 'system', content: text }, ...turn.rawMessages]
      return { ...turn, rawMessages: messages }
    }),
  }
}

const joined = (text: string, own: string | undefined): string => (own === undefined ? text : `${text}\n\n${own}`)
