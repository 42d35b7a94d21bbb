/** Text to tokens and back. Implementations are exact for their vocabulary; approximations are not tokenizers. */
export interface Tokenizer {
  /** Name for the manifest, e.g. `o200k_base`. */
  readonly name: string
  /** SHA-256 (hex) of the vocabulary, for the manifest; undefined when not known. */
  readonly hash?: string
  /** Number of ids; ids are 0 … vocabularySize−1, not all of which need be assigned. */
  readonly vocabularySize: number
  /** Token ids of the text, no special tokens added. */
  encode(text: string): readonly number[]
  /** Text of the ids; special tokens are kept. */
  decode(ids: readonly number[]): string
  /** `encode(text).length`, without building the array where the library can. */
  count(text: string): number
  /** Ids that must not appear in random prompts (special, control, unassigned). */
  readonly specialIds: ReadonlySet<number>
  /**
   * Capability: a space after a word or mark always begins a new token when a letter follows, so that the counts of
   * parts joined at such spaces add up and need no check.
   */
  readonly splitsAtSpaces?: true
  /** Capability: the prompt text that the model's chat template makes of messages. */
  chat?(messages: readonly { role: string; content: string }[]): string
}

/** What a tokenizer declares in its manifest entry (`meta`). */
export interface TokenizerMeta {
  description: string
  /** Names this tokenizer answers to besides its own; `builtin` is o200k_base. */
  names?: readonly string[]
}
