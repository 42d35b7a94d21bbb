import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { AiperfError } from '@aiperf/core'

const BLOCK = 512
const LARGEST_BYTES = 512 * 1024 * 1024

/** Files of an npm tarball by name, without the leading folder: the ones that were asked for. */
export function readTarball(path: string, wanted: readonly string[]): Map<string, Buffer> {
  let tar: Buffer
  try {
    tar = gunzipSync(readFileSync(path), { maxOutputLength: LARGEST_BYTES })
  } catch (error) {
    throw new AiperfError('E_COMMAND', `${path} is no packed npm package: ${(error as Error).message}.`, { hint: 'Make one with `npm pack`.' })
  }
  const files = new Map<string, Buffer>()
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const text = (from: number, length: number) => tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12).trim() || '0', 8)
    const name = [text(345, 155), text(0, 100)].filter(Boolean).join('/').split('/').slice(1).join('/')
    if (wanted.includes(name)) files.set(name, tar.subarray(at + BLOCK, at + BLOCK + size))
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}
