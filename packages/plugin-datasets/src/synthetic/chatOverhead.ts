import type { Tokenizer } from '@aiperf/core'

/** Tokens that a chat template adds: around every message, and once around them all. */
export interface ChatOverhead {
  message: number
  once: number
}

const NONE: ChatOverhead = { message: 0, once: 0 }
const PROBE = 'Hello'

/** Measures the template of a tokenizer that has one, by prompts of one and of three messages. */
export function chatOverhead(tokenizer: Tokenizer): ChatOverhead {
  const { chat } = tokenizer
  if (!chat) return NONE
  const bare = tokenizer.count(PROBE)
  const messages = ['user', 'assistant', 'user'].map((role) => ({ role, content: PROBE }))
  const one = tokenizer.count(chat(messages.slice(0, 1)))
  const three = tokenizer.count(chat(messages))
  const message = Math.round((three - one - 2 * bare) / 2)
  return { message, once: Math.max(0, one - bare - message) }
}
