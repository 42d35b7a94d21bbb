import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** The last bytes of a file: where Parquet describes its columns. */
export function fileTail(path: string, count = 64 * 1024): Uint8Array {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const bytes = new Uint8Array(Math.min(size, count))
    readSync(descriptor, bytes, 0, bytes.length, size - bytes.length)
    return bytes
  } finally {
    closeSync(descriptor)
  }
}
