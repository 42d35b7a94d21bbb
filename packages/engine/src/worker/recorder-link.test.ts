import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ToRecord } from '../control/messages.js'
import { readOverflow } from '../shared/overflow-file.js'
import { sharedWords, RUN_WORDS, WORKER_WORDS } from '../shared/words.js'
import { RecorderLink } from './recorder-link.js'

const SENT = 500
const BYTES = 1000

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'aiperf-link-'))))
afterEach(() => rmSync(folder, { recursive: true }))

function linkTo(path: string) {
  const { port1, port2 } = new MessageChannel()
  const spare: ArrayBuffer[] = []
  let caughtUp = 0
  const link = new RecorderLink({ port: port1, runWords: sharedWords(RUN_WORDS), ownWords: sharedWords(WORKER_WORDS), path, recycle: (buffer) => spare.push(buffer), caughtUp: () => caughtUp++ })
  const send = (from: number): void => {
    for (let i = from; i < from + SENT; i++) {
      const buffer = spare.pop() ?? new ArrayBuffer(BYTES)
      new Uint8Array(buffer).fill(i)
      link.send(buffer, BYTES - (i % 7))
    }
  }
  /** Reads as a recorder does; gives back what it took. */
  const read = (): { memory: number; disk: number; values: number[][] } => {
    const found = { memory: 0, disk: 0, values: [] as number[][] }
    for (let got = receiveMessageOnPort(port2); got; got = receiveMessageOnPort(port2)) {
      const message = got.message as ToRecord
      if (message === 'end') continue
      const inMemory = 'buffer' in message
      found[inMemory ? 'memory' : 'disk']++
      const bytes = new Uint8Array(inMemory ? message.buffer : readOverflow(message.fd, message.offset, message.used))
      found.values.push([bytes[0]!, bytes[message.used - 1]!, message.used])
      if (inMemory) port2.postMessage(message.buffer, [message.buffer])
      else port2.postMessage(undefined)
    }
    return found
  }
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
  const close = (): void => port1.close()
  return { link, send, read, settled, close, caughtUp: () => caughtUp }
}

const expected = (from: number): number[][] => Array.from({ length: SENT }, (_, i) => [(from + i) % 256, (from + i) % 256, BYTES - ((from + i) % 7)])

test('what a recorder cannot keep up with waits on the disk, in order and whole, and the file is used again', async () => {
  const { link, send, read, settled, close, caughtUp } = linkTo(join(folder, 'waiting'))
  for (let round = 0; round < 3; round++) {
    send(round * SENT)
    expect(link.isBehind).toBe(true)
    const { memory, disk, values } = read()
    expect([memory, disk]).toEqual([64, SENT - 64])
    expect(values).toEqual(expected(round * SENT))
    await settled()
    expect([link.isBehind, caughtUp()]).toEqual([false, round + 1])
  }
  link.end()
  expect(existsSync(join(folder, 'waiting'))).toBe(false)
  close()
})

test('without a disk it waits in memory', () => {
  const { send, read, close } = linkTo(join(folder, 'no such folder', 'waiting'))
  send(0)
  const { memory, disk, values } = read()
  expect([memory, disk]).toEqual([SENT, 0])
  expect(values).toEqual(expected(0))
  close()
})
