import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { AiperfError } from '@aiperf/core'

/** Bytes that are on disk because memory is not to hold them. The threads of a process share the descriptor. */
export class OverflowFile {
  readonly fd: number
  readonly #path: string
  readonly #what: string
  #removed = false
  #used = 0

  /** `what`: is kept here, for an error. */
  constructor(path: string, what: string) {
    this.#path = path
    this.#what = what
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
      throw new AiperfError('E_DISK', `${this.#what} cannot be kept on the disk: ${(error as Error).message}`, { hint: 'free some space, or choose another --artifact-dir', cause: error })
    }
    this.#used += data.length
    return offset
  }

  /** Begins anew: all that was written has been read. */
  reset(): void {
    this.#used = 0
  }

  close(): void {
    closeSync(this.fd)
    if (!this.#removed) unlinkSync(this.#path)
  }
}

/** Reads what `append` wrote, into a buffer of its own. */
export function readOverflow(fd: number, offset: number, length: number): ArrayBuffer {
  const buffer = new Uint8Array(length)
  for (let done = 0; done < length; ) {
    const read = readSync(fd, buffer, done, length - done, offset + done)
    if (read === 0) throw new AiperfError('E_DISK', 'A file of what memory does not hold ended early')
    done += read
  }
  return buffer.buffer
}
