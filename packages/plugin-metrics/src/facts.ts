/** `later − earlier`; undefined when either has no value or the difference is negative. */
export function elapsed(later: number, earlier: number): number | undefined {
  const ns = later - earlier
  return ns >= 0 ? ns : undefined
}

/** The number, or undefined when it has no value. */
export function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value
}

/** `value / by`; undefined when either is missing or the divisor is not above 0. */
export function quotient(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined || !(by > 0) ? undefined : value / by
}

/** Output tokens with reasoning: a part without value counts 0; undefined when both have none. */
export function outputLength(record: { readonly outputTokens: number; readonly reasoningTokens: number }): number | undefined {
  const { outputTokens, reasoningTokens } = record
  if (Number.isNaN(outputTokens)) return known(reasoningTokens)
  return Number.isNaN(reasoningTokens) ? outputTokens : outputTokens + reasoningTokens
}
