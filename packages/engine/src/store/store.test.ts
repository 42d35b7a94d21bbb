import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Store } from './reader.js'
import { StoreWriter } from './writer.js'

it('keeps what memory is not to hold on disk, and reads it back, ids from memory', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'aiperf-store-')), 'bodies.bin')
  const writer = new StoreWriter(path)
  const bodies = Array.from({ length: 150 }, (_, at) => Buffer.alloc(1024 * 1024 + at, at))
  bodies.forEach((body, at) => {
    const session = writer.addSession(`session ${at}`, 1)
    const turn = writer.addTurn()
    const place = writer.bytes(body)
    writer.setTurn(turn, 'segment', place.segment)
    writer.setTurn(turn, 'offset', place.offset)
    writer.setTurn(turn, 'length', place.length)
    expect(session).toBe(at)
  })
  const shared = writer.finish({ method: 'POST', contentType: 'application/json', accept: '', headers: [] })
  const store = new Store(shared)
  expect(bodies.every((body, at) => store.body(store.row(at, 0))!.equals(body))).toBe(true)
  expect([store.id(0), store.id(149), store.size]).toEqual(['session 0', 'session 149', 150])
  expect(shared.segments.reduce((sum, segment) => sum + segment.byteLength, 0)).toBeLessThan(140 * 1024 * 1024)
  writer.close()
  expect(existsSync(path)).toBe(false)
})
