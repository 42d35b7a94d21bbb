import type { Delta } from '@aiperf/core'

/** A tool call put together from its pieces. */
export interface ToolCall {
  id: string
  name: string
  arguments: string
}

/** The answer of a model from all deltas of a response. */
export interface Answer {
  text: string
  reasoning: string
  /** By index; calls that no index was seen of are left out. */
  calls: ToolCall[]
}

export function answerOf(deltas: readonly Delta[]): Answer {
  const calls = new Map<number, ToolCall>()
  let text = ''
  let reasoning = ''
  for (const delta of deltas) {
    if (delta.kind === 'text') text += delta.text
    else if (delta.kind === 'reasoning') reasoning += delta.text
    else if (delta.kind === 'tool') {
      let call = calls.get(delta.index)
      if (call === undefined) calls.set(delta.index, (call = { id: '', name: '', arguments: '' }))
      if (delta.id !== undefined) call.id = delta.id
      call.name += delta.name ?? ''
      call.arguments += delta.arguments ?? ''
    }
  }
  return { text, reasoning, calls: [...calls].sort(([a], [b]) => a - b).map(([, call]) => call) }
}
