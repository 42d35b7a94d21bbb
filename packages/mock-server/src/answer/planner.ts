import type { Ask } from '../ask/ask.js'
import { AskError } from '../ask/ask.js'
import type { FaultPlan } from '../faults/plan.js'
import { CHARS_PER_TOKEN } from '../model/prefix-cache.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { lawOf, sampler, type Sampler } from '../timing/distribution.js'
import { PURPOSE, Random, scramble } from '../timing/random.js'
import { lengthOf, wordCount, type Answer } from './answer.js'

/** Decides answers: their length, parts and shape, by the options, the request and the seed. */
export class AnswerPlanner {
  readonly #length: Sampler | undefined
  readonly #idPrefix: string
  #created = 0
  #createdUntil = 0

  constructor(private readonly options: ResolvedOptions) {
    const { outputTokens, outputTokensDistribution, outputTokensStddev } = options
    if (outputTokens !== undefined) this.#length = sampler(lawOf(outputTokensDistribution, outputTokensStddev), outputTokens, outputTokensStddev)
    this.#idPrefix = scramble(options.seed).toString(16).padStart(8, '0')
  }

  /** Tokens of a request's prompt. */
  promptTokens(ask: Ask): number {
    const { countTokens } = this.options
    const other = ask.otherPromptTokens ?? 0
    if (countTokens && ask.prompt) return ask.prompt.texts.reduce((sum, text) => sum + countTokens(text), other)
    return Math.max(1, Math.ceil(ask.promptChars / CHARS_PER_TOKEN) + other)
  }

  /** What an answer's identifier is made of: 16 hexadecimal digits. */
  id(ordinal: number): string {
    return this.#idPrefix + ordinal.toString(16).padStart(8, '0')
  }

  /** The model that answers. Throws `UnknownModel` where the server is strict about it. */
  modelFor(asked: string): string {
    const { models, strictModel } = this.options
    if (strictModel && asked !== '' && !models.includes(asked)) throw new UnknownModel(asked)
    return asked || models[0]!
  }

  plan(ordinal: number, ask: Ask, faults: FaultPlan | undefined): Answer {
    const { options } = this
    const model = this.modelFor(ask.model)
    const heeded = options.honorMaxTokens ? ask : { ...ask, maxTokens: undefined, minTokens: 0, ignoreEos: false }
    const length = ask.pieces === undefined ? lengthOf(heeded, this.#natural(ordinal)) : ({ tokens: ask.pieces, finishReason: 'stop' } as const)
    const tool = ask.tool !== undefined && this.#callsTool(ordinal) ? ask.tool : undefined
    const stream = ask.stream && !faults?.jsonBody
    return {
      ordinal,
      id: this.id(ordinal),
      created: this.now(),
      model,
      stream,
      tokens: length.tokens,
      reasoningTokens: ask.pieces === undefined ? Math.floor(length.tokens * options.reasoningShare) : 0,
      tokensPerChunk: ask.pieces === undefined ? options.tokensPerChunk : 1,
      tool,
      finishReason: tool === undefined ? length.finishReason : 'tool_calls',
      promptTokens: this.promptTokens(ask),
      cachedTokens: undefined,
      usage: options.usage === 'always' || (options.usage === 'on-request' && (ask.includeUsage || !stream)),
      usageInEveryChunk: ask.usageInEveryChunk && options.usage !== 'never',
      firstWord: scramble(ordinal) % wordCount,
    }
  }

  #natural(ordinal: number): number | undefined {
    const length = this.#length
    if (!length) return undefined
    const drawn = length.constant ?? length.sample(new Random(this.options.seed, ordinal, PURPOSE.length))
    return Math.max(1, Math.round(drawn))
  }

  #callsTool(ordinal: number): boolean {
    const { toolCallRate, seed } = this.options
    return toolCallRate > 0 && new Random(seed, ordinal, PURPOSE.toolCall).next() < toolCallRate
  }

  /** Unix time in seconds. */
  now(): number {
    const now = Date.now()
    if (now >= this.#createdUntil) {
      this.#created = Math.floor(now / 1000)
      this.#createdUntil = (this.#created + 1) * 1000
    }
    return this.#created
  }
}

/** A request for a model that is not served, where the server is strict about it; answered with 404. */
export class UnknownModel extends AskError {
  constructor(model: string) {
    super(`The model \`${model}\` does not exist.`)
  }
}
