import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AiperfError, type ArtifactDir } from '@aiperf/core'

/** Suffixes of known file names: a prefix given with one of them means the part before it. */
const SUFFIXES = ['_server_metrics.parquet', '_server_metrics.jsonl', '_server_metrics.json', '_server_metrics.csv', '_network_latency.jsonl',
  '_gpu_telemetry.jsonl', '_accuracy.jsonl', '_timeslices.csv', '_timeslices.json', '_console.txt', '_raw.jsonl', '.parquet', '.csv', '.json', '.jsonl']

function cleanPrefix(prefix: string): string {
  const suffix = SUFFIXES.find((s) => prefix.endsWith(s) && prefix.length > s.length)
  return suffix ? prefix.slice(0, -suffix.length) : prefix
}

/** The run's directory. A file appears whole or not at all. */
export class RunArtifacts implements ArtifactDir {
  readonly path: string
  readonly console: ArtifactDir['console']
  /** Files written, in order. */
  readonly files: string[] = []
  readonly #prefix: string | undefined
  readonly #print: (text: string) => void

  constructor(path: string, options: { prefix?: string; console: ArtifactDir['console']; print(text: string): void }) {
    this.path = path
    this.console = options.console
    this.#prefix = options.prefix === undefined ? undefined : cleanPrefix(options.prefix)
    this.#print = options.print
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await this.#whole(name, (path) => writeFile(path, content))
  }

  async stream(name: string, chunks: AsyncIterable<string | Uint8Array> | Readable): Promise<void> {
    await this.#whole(name, (path) => pipeline(chunks instanceof Readable ? chunks : Readable.from(chunks, { objectMode: true }), createWriteStream(path)))
  }

  async #whole(name: string, fill: (path: string) => Promise<void>): Promise<void> {
    const path = join(this.path, name)
    const part = `${path}.${randomBytes(3).toString('hex')}.part`
    try {
      await mkdir(dirname(path), { recursive: true })
      await fill(part)
      await rename(part, path)
    } catch (cause) {
      await rm(part, { force: true })
      if ((cause as Error).name === 'AiperfError') throw cause
      throw new AiperfError('E_DISK', `writing ${path} failed: ${(cause as Error).message}`, {
        hint: `what was measured is kept in the journal: "aiperf export ${this.path}" makes the files again`,
        cause,
      })
    }
    if (!this.files.includes(name)) this.files.push(name)
  }

  named(defaultName: string, suffix: string): string {
    return this.#prefix === undefined ? defaultName : `${this.#prefix}${suffix}`
  }

  print(text: string): void {
    this.#print(text)
  }
}
