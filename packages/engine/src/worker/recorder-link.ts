import type { MessagePort } from 'node:worker_threads'
import type { ToRecord } from '../control/messages.js'
import { OverflowFile } from '../shared/overflow-file.js'
import { RUN, WORKER } from '../shared/words.js'

/**
 * Arenas in memory that the recorder has not given back. Beyond this many a closed loop starts nothing new: a client that takes in
 * more than it can record has a rate that is a promise. An open loop goes on, and the rest waits on the disk.
 */
const MOST_OUTSTANDING = 64

export interface LinkSetup {
  port: MessagePort
  runWords: Int32Array
  ownWords: Int32Array
  /** Of the file for what does not wait in memory. */
  path: string
  /** Takes an emptied arena. */
  recycle(buffer: ArrayBuffer): void
  caughtUp(): void
}

/** A worker's way to its recorder. */
export class RecorderLink {
  readonly #setup: LinkSetup
  #outstanding = 0
  /** Arenas on the disk, not read yet. */
  #onDisk = 0
  #file: OverflowFile | undefined
  #diskFailed = false
  #ended = false

  constructor(setup: LinkSetup) {
    this.#setup = setup
    setup.port.on('message', (buffer: ArrayBuffer | undefined) => this.#recorded(buffer))
  }

  get isBehind(): boolean {
    return this.#outstanding >= MOST_OUTSTANDING
  }

  send(buffer: ArrayBuffer, used: number): void {
    const { port, runWords, ownWords } = this.#setup
    Atomics.add(runWords, RUN.backlog, 1)
    Atomics.add(ownWords, WORKER.readKib, used >> 10)
    if (this.isBehind && this.#spill(buffer, used)) return
    this.#outstanding++
    port.postMessage({ buffer, used } satisfies ToRecord, [buffer])
  }

  /** No more will be sent. */
  end(): void {
    this.#setup.port.postMessage('end' satisfies ToRecord)
    this.#ended = true
    this.#emptied()
  }

  #spill(buffer: ArrayBuffer, used: number): boolean {
    if (this.#diskFailed) return false
    try {
      this.#file ??= new OverflowFile(this.#setup.path, 'What was received')
      const offset = this.#file.append(new Uint8Array(buffer, 0, used))
      this.#setup.port.postMessage({ fd: this.#file.fd, offset, used } satisfies ToRecord)
    } catch {
      // It waits in memory.
      this.#diskFailed = true
      return false
    }
    this.#onDisk++
    this.#setup.recycle(buffer)
    return true
  }

  #emptied(): void {
    if (this.#onDisk > 0) return
    if (this.#ended) this.#file?.close()
    else this.#file?.reset()
  }

  #recorded(buffer: ArrayBuffer | undefined): void {
    if (buffer === undefined) {
      this.#onDisk--
      return this.#emptied()
    }
    this.#setup.recycle(buffer)
    if (this.#outstanding-- === MOST_OUTSTANDING) this.#setup.caughtUp()
  }
}
