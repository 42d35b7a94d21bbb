const SLOTS = 4096
const LONGEST = 24

/**
 * Strings of short ASCII byte runs, made once: a model's vocabulary is small, and its words come again and again. A slot
 * holds the run and what it means, so that escapes are read once, too. Exact: the run is compared, not only its hash.
 */
export class ShortTexts {
  readonly #runs: string[] = new Array<string>(SLOTS).fill('')
  readonly #meanings: string[] = new Array<string>(SLOTS).fill('')

  /** What `bytes[from … to)`, whose hash is given, meant before; undefined when that is not known. */
  find(bytes: Uint8Array, from: number, to: number, hash: number): string | undefined {
    const run = this.#runs[hash & (SLOTS - 1)]!
    if (run.length !== to - from || run.length === 0) return undefined
    for (let i = 0; i < run.length; i++) if (run.charCodeAt(i) !== bytes[from + i]) return undefined
    return this.#meanings[hash & (SLOTS - 1)]
  }

  keep(run: string, meaning: string, hash: number): void {
    if (run.length > LONGEST) return
    this.#runs[hash & (SLOTS - 1)] = run
    this.#meanings[hash & (SLOTS - 1)] = meaning
  }
}
