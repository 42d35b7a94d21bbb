import type { Answer } from '../answer/answer.js'

/** The usage object of the OpenAI endpoints as JSON, for a number of tokens sent. */
export function usageJson(answer: Answer, tokens: number): string {
  const { promptTokens, cachedTokens, reasoningTokens } = answer
  const cached = cachedTokens === undefined ? '' : `,"prompt_tokens_details":{"cached_tokens":${cachedTokens}}`
  const reasoning = reasoningTokens === 0 ? '' : `,"completion_tokens_details":{"reasoning_tokens":${Math.min(tokens, reasoningTokens)}}`
  return `{"prompt_tokens":${promptTokens},"completion_tokens":${tokens},"total_tokens":${promptTokens + tokens}${cached}${reasoning}}`
}
