import type { ArtifactDir } from '@aiperf/core'

/** A run's directory held in memory. */
export class MemoryDir implements ArtifactDir {
  readonly path = '/runs/one'
  readonly files = new Map<string, string>()
  readonly bytes = new Map<string, Uint8Array>()
  printed = ''
  readonly #prefix: string | undefined
  readonly console: ArtifactDir['console']

  constructor(options: Partial<ArtifactDir['console']> & { prefix?: string } = {}) {
    const { prefix, ...console } = options
    this.#prefix = prefix
    this.console = { columns: 120, color: false, verbose: false, output: 'text', ...console }
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    this.#put(name, Buffer.from(content as string))
  }

  async stream(name: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
    const parts: Buffer[] = []
    for await (const chunk of chunks) parts.push(Buffer.from(chunk as string))
    this.#put(name, Buffer.concat(parts))
  }

  named(defaultName: string, suffix: string): string {
    return this.#prefix === undefined ? defaultName : this.#prefix + suffix
  }

  print(text: string): void {
    this.printed += text
  }

  #put(name: string, bytes: Buffer): void {
    this.bytes.set(name, bytes)
    this.files.set(name, bytes.toString())
  }
}
