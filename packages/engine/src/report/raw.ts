import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { RawExchange } from '@aiperf/core'
import { JOURNAL } from '../journal/read.js'
import { ENTRY, readArena } from '../shared/arena.js'

interface Place {
  file: number
  at: number
  used: number
}

/**
 * Raw exchanges in order of dispatch, read from the kept arenas. A first pass notes in which arenas each request has
 * entries, so that memory holds one exchange and one arena at a time.
 */
export class RawReader {
  readonly #files: number[] = []
  readonly #places = new Map<number, Place[]>()
  /** Files cut in the middle of an arena. */
  cut = 0

  constructor(directory: string) {
    const folder = join(directory, JOURNAL)
    for (const name of readdirSync(folder).filter((n) => /^raw-\d+\.arena$/.test(n)).sort()) {
      const file = openSync(join(folder, name), 'r')
      this.#files.push(file)
      this.#index(this.#files.length - 1, fstatSync(file).size)
    }
  }

  get any(): boolean {
    return this.#files.length > 0
  }

  #index(file: number, size: number): void {
    const head = new Float64Array(1)
    for (let at = 0; at + 8 <= size; ) {
      readSync(this.#files[file]!, new Uint8Array(head.buffer), 0, 8, at)
      const used = head[0]!
      if (at + 8 + used > size) {
        this.cut++
        return
      }
      const place = { file, at: at + 8, used }
      readArena(this.#load(place), used, (entry) => {
        const places = this.#places.get(entry.ordinal)
        if (!places) this.#places.set(entry.ordinal, [place])
        else if (places.at(-1) !== place) places.push(place)
      })
      at += 8 + used
    }
  }

  readonly #cache: { place: Place; buffer: ArrayBuffer }[] = []

  #load(place: Place): ArrayBuffer {
    const known = this.#cache.find((c) => c.place === place)
    if (known) return known.buffer
    const buffer = new ArrayBuffer(place.used)
    readSync(this.#files[place.file]!, new Uint8Array(buffer), 0, place.used, place.at)
    this.#cache.push({ place, buffer })
    if (this.#cache.length > 32) this.#cache.shift()
    return buffer
  }

  *exchanges(): Generator<RawExchange> {
    for (const ordinal of [...this.#places.keys()].sort((a, b) => a - b)) {
      const exchange: RawExchange = { ordinal, requestHeaders: {}, responseHeaders: {}, payload: new Uint8Array(0), reads: [] }
      let seen = false
      for (const place of this.#places.get(ordinal)!)
        readArena(this.#load(place), place.used, (entry) => {
          if (entry.ordinal !== ordinal) return
          seen = true
          if (entry.kind === ENTRY.sent) {
            const cut = entry.payload.indexOf(0)
            exchange.requestHeaders = pairs(JSON.parse(text(entry.payload.subarray(0, cut))) as string[])
            exchange.payload = Uint8Array.from(entry.payload.subarray(cut + 1))
          } else if (entry.kind === ENTRY.head) {
            const cut = entry.payload.indexOf(10)
            if (cut >= 0) exchange.responseHeaders = pairs(JSON.parse(text(entry.payload.subarray(cut + 1))) as string[])
          } else if (entry.kind === ENTRY.bytes) exchange.reads.push({ ns: entry.ns, bytes: Uint8Array.from(entry.payload) })
        })
      if (seen) yield exchange
    }
  }

  close(): void {
    for (const file of this.#files) closeSync(file)
  }
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function pairs(flat: readonly string[]): Record<string, string> {
  const out: Record<string, string> = {}
  for (let i = 0; i < flat.length; i += 2) out[flat[i]!] = flat[i + 1]!
  return out
}
