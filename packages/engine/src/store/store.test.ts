import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Store } from './reader.js'
import { StoreWriter } from './writer.js'

it.each([[150, 1024 * 1024], [24_000, 10 * 1024]])('keeps what memory is not to hold on disk, and reads it back, ids from memory: %i bodies of %i bytes', (count, size) => {
  const path = join(mkdtempSync(join(tmpdir(), 'aiperf-store-')), 'bodies.bin')
  const writer = new StoreWriter(path)
  const bodyAt = (at: number): Buffer => Buffer.alloc(size + (at % 100), at)
  for (let at = 0; at < count; at++) {
    const session = writer.addSession(`session ${at}`, 1)
    const turn = writer.addTurn()
    const place = writer.bytes(bodyAt(at))
    writer.setTurn(turn, 'segment', place.segment)
    writer.setTurn(turn, 'offset', place.offset)
    writer.setTurn(turn, 'length', place.length)
    expect(session).toBe(at)
  }
  const shared = writer.finish({ method: 'POST', contentType: 'application/json', accept: '', headers: [] })
  const store = new Store(shared)
  for (let at = 0; at < count; at += 7) expect(store.body(store.row(at, 0))!.equals(bodyAt(at))).toBe(true)
  expect([store.id(0), store.id(count - 1), store.size]).toEqual(['session 0', `session ${count - 1}`, count])
  expect(shared.segments.reduce((sum, segment) => sum + segment.byteLength, 0)).toBeLessThan(140 * 1024 * 1024)
  writer.close()
  expect(existsSync(path)).toBe(false)
})
