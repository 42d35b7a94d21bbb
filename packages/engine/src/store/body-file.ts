import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { AiperfError } from '@aiperf/core'

/** Bytes that a dataset has on disk because memory is not to hold them. The threads of a process share the descriptor. */
export class BodyFile {
  readonly fd: number
  readonly #path: string
  #removed = false
  #used = 0

  constructor(path: string) {
    this.#path = path
    this.fd = openSync(path, 'w+')
    try {
      // Without a name it cannot be left behind, however the process ends.
      unlinkSync(path)
      this.#removed = true
    } catch {
      // Some systems keep the names of open files.
    }
  }

  get bytes(): number {
    return this.#used
  }

  /** Returns the offset at which the data stands. */
  append(data: Uint8Array): number {
    const offset = this.#used
    try {
      for (let done = 0; done < data.length; ) done += writeSync(this.fd, data, done, data.length - done, offset + done)
    } catch (error) {
      throw new AiperfError('E_DISK', `The dataset does not fit into memory, and not on the disk: ${(error as Error).message}`, { hint: 'free some space, or choose another --artifact-dir', cause: error })
    }
    this.#used += data.length
    return offset
  }

  close(): void {
    closeSync(this.fd)
    if (!this.#removed) unlinkSync(this.#path)
  }
}

/** Reads what `append` wrote. */
export function readBodyFile(fd: number, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const read = readSync(fd, buffer, done, length - done, offset + done)
    if (read === 0) throw new AiperfError('E_DISK', 'The file of prepared bodies ended early')
    done += read
  }
  return buffer
}
