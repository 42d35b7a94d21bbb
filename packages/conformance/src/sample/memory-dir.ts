import type { ArtifactDir } from '@aiperf/core'

/** A run's directory held in memory, which also looks at how it is written to. */
export class MemoryDir implements ArtifactDir {
  readonly path = '/run'
  readonly files = new Map<string, Buffer>()
  printed = ''
  readonly console: ArtifactDir['console']
  /** Files by the default name that `named` was asked with. */
  readonly defaults = new Map<string, string>()
  readonly #prefix: string | undefined
  /** Writes that were begun and are not over. */
  pending = 0

  constructor({ prefix, ...console }: Partial<ArtifactDir['console']> & { prefix?: string } = {}) {
    this.#prefix = prefix
    this.console = { columns: 100, color: false, verbose: false, output: 'text', ...console }
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await this.#put(name, async () => Buffer.from(content as string))
  }

  async stream(name: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
    await this.#put(name, async () => {
      const parts: Buffer[] = []
      for await (const chunk of chunks) parts.push(Buffer.from(chunk as string))
      return Buffer.concat(parts)
    })
  }

  named(defaultName: string, suffix: string): string {
    const name = this.#prefix === undefined ? defaultName : `${this.#prefix}${suffix}`
    this.defaults.set(name, defaultName)
    return name
  }

  print(text: string): void {
    this.printed += text
  }

  async #put(name: string, content: () => Promise<Buffer>): Promise<void> {
    this.pending++
    const bytes = await content()
    // A file takes its time, so that a write that nobody waits for is seen.
    await new Promise((resolve) => setImmediate(resolve))
    this.files.set(name, bytes)
    this.pending--
  }
}
