/** What a request asks of the model, whatever its wire shape. */
export interface Ask {
  /** '' where the request names none. */
  model: string
  stream: boolean
  includeUsage: boolean
  /** vLLM's `continuous_usage_stats`: usage in every event. */
  usageInEveryChunk: boolean
  maxTokens: number | undefined
  minTokens: number
  ignoreEos: boolean
  promptChars: number
  /** Prompt tokens that stand in none of its texts: sound, or a conversation that the server keeps. */
  otherPromptTokens?: number
  /** The answer is so many pieces that are no text (images), whatever limits of tokens say. */
  pieces?: number
  /** The prompt's texts; absent where the JSON was only scanned. */
  prompt?: Prompt
  /** Name of the first function offered as a tool. */
  tool?: string
}

export interface Prompt {
  /** The text of each message or prompt, for counting. */
  readonly texts: readonly string[]
  /** All of it with the roles in place, up to where the answer begins: what a prefix cache would see. */
  readonly whole: string
}

/** A request whose JSON does not say what it must; answered with 400. */
export class AskError extends Error {}

