import { AskError, type Ask } from './ask.js'

/** The fields of a request's body; checks types as far as they are read. */
export class Fields {
  readonly #values: Record<string, unknown>

  /** @param body the JSON text, or values that have been read from somewhere else */
  constructor(body: Buffer | Record<string, unknown>) {
    this.#values = Buffer.isBuffer(body) ? jsonObject(body) : body
  }

  /** The value of a field; null counts as absent. */
  get(name: string): unknown {
    return this.#values[name] ?? undefined
  }

  required(name: string): unknown {
    const value = this.get(name)
    if (value === undefined) throw new AskError(`${name}: this field is required`)
    return value
  }

  string(name: string): string | undefined {
    return this.#typed<string>(name, 'string')
  }

  flag(name: string): boolean {
    return this.#typed<boolean>(name, 'boolean') ?? false
  }

  /** A whole number of at least `min`. */
  integer(name: string, min: number): number | undefined {
    const value = this.get(name)
    if (value === undefined) return undefined
    if (!Number.isInteger(value) || (value as number) < min) throw new AskError(`${name}: must be a whole number, ${min} or more`)
    return value as number
  }

  object(name: string): Record<string, unknown> {
    return (this.#typed<object>(name, 'object') ?? {}) as Record<string, unknown>
  }

  #typed<T>(name: string, type: string): T | undefined {
    const value = this.get(name)
    if (value !== undefined && typeof value !== type) throw new AskError(`${name}: must be ${type === 'object' ? 'an' : 'a'} ${type}`)
    return value as T | undefined
  }

  /** What the OpenAI text endpoints have in common. */
  common(): Omit<Ask, 'promptChars'> {
    const stream = this.flag('stream')
    const streamOptions = this.object('stream_options')
    return {
      model: this.string('model') ?? '',
      stream,
      includeUsage: stream && streamOptions['include_usage'] === true,
      usageInEveryChunk: stream && streamOptions['continuous_usage_stats'] === true,
      maxTokens: this.integer('max_completion_tokens', 1) ?? this.integer('max_tokens', 1),
      minTokens: this.integer('min_tokens', 0) ?? 0,
      ignoreEos: this.flag('ignore_eos'),
    }
  }
}

function jsonObject(body: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch (error) {
    throw new AskError(`the body is not JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AskError('the body is not a JSON object')
  return value as Record<string, unknown>
}
