import { createCipheriv, createHash } from 'node:crypto'
import type { Random } from '@aiperf/core'

/** Uniformly random bytes of a stream, the same on every machine: the key stream of AES in counter mode. */
export function noiseBytes(random: Random, count: number): Buffer {
  const key = createHash('sha256').update(`${random.next()} ${random.next()}`).digest()
  return createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16)).update(Buffer.alloc(count))
}
