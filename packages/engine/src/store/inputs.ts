import { once } from 'node:events'
import { createReadStream, existsSync, type WriteStream } from 'node:fs'
import type { Store } from './reader.js'

/** Beyond this the bodies are not kept twice: the dataset file is the record of them. */
const LIMIT_BYTES = 512 * 1024 * 1024

/**
 * Keeps the prepared bodies beside the journal, so that `inputs.json` can be made again:
 * per session u32 id length, id, u32 number of bodies, then per body u32 length and bytes.
 */
export async function writeInputs(out: WriteStream, store: Store, bytes: number): Promise<void> {
  if (bytes > LIMIT_BYTES) {
    out.end()
    return
  }
  for (let session = 0; session < store.size; session++) {
    const id = Buffer.from(store.id(session))
    const bodies: Buffer[] = []
    for (let turn = 0; turn < store.turns(session); turn++) {
      const body = store.body(store.row(session, turn))
      if (body) bodies.push(Buffer.from(body))
    }
    const parts = [u32(id.length), id, u32(bodies.length)]
    for (const body of bodies) parts.push(u32(body.length), body)
    if (!out.write(Buffer.concat(parts))) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

function u32(n: number): Buffer {
  const b = Buffer.alloc(4)
  b.writeUInt32LE(n)
  return b
}

/** The kept bodies, session by session. */
export async function* readInputs(path: string): AsyncGenerator<{ sessionId: string; payloads: Uint8Array[] }> {
  if (!existsSync(path)) return
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const parsed = parse(rest)
      if (!parsed) break
      yield parsed.entry
      rest = rest.subarray(parsed.used)
    }
  }
}

function parse(bytes: Buffer): { entry: { sessionId: string; payloads: Uint8Array[] }; used: number } | undefined {
  let at = 0
  const take = (): Buffer | undefined => {
    if (at + 4 > bytes.length) return undefined
    const length = bytes.readUInt32LE(at)
    if (at + 4 + length > bytes.length) return undefined
    at += 4 + length
    return bytes.subarray(at - length, at)
  }
  const id = take()
  if (!id || at + 4 > bytes.length) return undefined
  const count = bytes.readUInt32LE(at)
  at += 4
  const payloads: Uint8Array[] = []
  for (let i = 0; i < count; i++) {
    const body = take()
    if (!body) return undefined
    payloads.push(Buffer.from(body))
  }
  return { entry: { sessionId: id.toString(), payloads }, used: at }
}
