import type { FactName, Tokenizer, Usage } from '@aiperf/core'
import type { ResponseReader } from '../decode/response.js'
import type { ColumnBuilder } from './columns.js'

const USAGE: Readonly<Record<keyof Usage, FactName>> = {
  prompt: 'usagePrompt',
  completion: 'usageCompletion',
  total: 'usageTotal',
  reasoning: 'usageReasoning',
  cacheRead: 'usageCacheRead',
  cacheWrite: 'usageCacheWrite',
  cacheMiss: 'usageCacheMiss',
  promptAudio: 'usagePromptAudio',
  promptAudioSeconds: 'usagePromptAudioSeconds',
  completionAudio: 'usageCompletionAudio',
  acceptedPrediction: 'usageAcceptedPrediction',
  rejectedPrediction: 'usageRejectedPrediction',
  toolUsePrompt: 'usageToolUsePrompt',
}
const USAGE_ROWS = Object.entries(USAGE) as [keyof Usage, FactName][]

/** Fills the token columns of a row by the run's token source; returns the output tokens, reasoning included. */
export function countTokens(
  columns: ColumnBuilder,
  reader: ResponseReader,
  clientInput: number,
  source: { tokenizer: Tokenizer | undefined; useServerTokenCount: boolean },
): number {
  const { usage } = reader
  for (const [key, column] of USAGE_ROWS) columns.set(column, usage?.[key] ?? Number.NaN)
  const clientOutput = count(source.tokenizer, reader.text + reader.toolText)
  const clientReasoning = count(source.tokenizer, reader.reasoning)
  columns.set('clientInputTokens', clientInput)
  columns.set('clientOutputTokens', add(clientOutput, clientReasoning))

  let input = clientInput
  let output = clientOutput
  let reasoning = clientReasoning
  if (source.useServerTokenCount) {
    input = usage?.prompt ?? Number.NaN
    reasoning = usage?.reasoning ?? Number.NaN
    output = usage?.completion === undefined ? Number.NaN : visibleTokens(usage.completion, usage)
  }
  columns.set('inputTokens', input)
  columns.set('outputTokens', output)
  columns.set('reasoningTokens', reasoning)
  return add(output, reasoning)
}

/** `completion` holds the reasoning tokens already, unless the total says that they were counted apart (Gemini, xAI). */
function visibleTokens(completion: number, { prompt = 0, reasoning = 0, total = 0 }: Usage): number {
  return total >= prompt + completion + reasoning ? completion : Math.max(0, completion - reasoning)
}

function count(tokenizer: Tokenizer | undefined, text: string): number {
  return tokenizer === undefined || text === '' ? Number.NaN : tokenizer.count(text)
}

function add(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b
}
