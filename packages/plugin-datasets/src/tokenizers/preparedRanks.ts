import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { RankTable } from './rankTable.js'

/**
 * A rank table as it lies in memory, in a file that the build makes: reading it takes 3 ms, where the tiktoken file of
 * 200,000 lines takes 75 ms of a cold thread's time, in every recorder, before the first request.
 *
 *   u32 mark · size · longest · slots · bytes · bytes of the tiktoken file · then starts, slots and bytes
 */
const MARK = 0x31524d41
const HEAD = 6

/** The content of such a file. `sourceBytes`: length of the tiktoken file it was made from. */
export function prepareRanks({ bytes, starts, slots, size, longest }: RankTable, sourceBytes: number): Uint8Array {
  const head = Uint32Array.of(MARK, size, longest, slots.length, bytes.length, sourceBytes)
  return Buffer.concat([head, starts, slots, bytes].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)))
}

/** Reads such a file; undefined when there is none, or it is of another tiktoken file, another form or byte order. */
export function readPreparedRanks(path: string, sourceBytes: number): RankTable | undefined {
  const length = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (length < HEAD * 4) return undefined
  const buffer = new ArrayBuffer(length)
  const file = openSync(path, 'r')
  try {
    if (readSync(file, new Uint8Array(buffer)) !== length) return undefined
  } finally {
    closeSync(file)
  }
  const [mark, size, longest, slots, bytes, source] = new Uint32Array(buffer, 0, HEAD) as unknown as [number, number, number, number, number, number]
  const slotsAt = (HEAD + size + 1) * 4
  const bytesAt = slotsAt + slots * 4
  if (mark !== MARK || source !== sourceBytes || length !== bytesAt + bytes) return undefined
  return {
    size,
    longest,
    starts: new Uint32Array(buffer, HEAD * 4, size + 1),
    slots: new Int32Array(buffer, slotsAt, slots),
    bytes: new Uint8Array(buffer, bytesAt, bytes),
  }
}
