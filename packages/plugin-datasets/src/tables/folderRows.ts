import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, constants } from 'node:zlib'
import type { Json } from '@aiperf/core'

const HEAD_BYTES = 64 * 1024
/** Files that are looked at. */
const FILES = 16

/** Names of the JSON-lines files of a folder, in order. */
export const lineFiles = (folder: string, recursive = false): string[] =>
  (readdirSync(folder, { recursive }) as string[]).filter((name) => /\.jsonl(\.gz|\.zst)?$/.test(name)).sort()

/** The first row of each of the first JSON-lines files of a folder; undefined where it cannot be read. For detection. */
export function firstRows(folder: string, recursive = false): (Json | undefined)[] {
  try {
    return lineFiles(folder, recursive).slice(0, FILES).map((name) => firstRow(join(folder, name)))
  } catch {
    return []
  }
}

function firstRow(path: string): Json | undefined {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    const head = bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0))
    // Of a compressed file only the beginning is here.
    const text = (path.endsWith('.gz') ? gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }) : head).toString('utf8')
    return JSON.parse(text.replace(/^\ufeff/, '').split('\n').find((line) => line.trim() !== '') ?? '') as Json
  } catch {
    return undefined
  } finally {
    closeSync(descriptor)
  }
}
