import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { Getter } from './get.js'

const servers: Server[] = []
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const getters: Getter[] = []
const getter = (): Getter => {
  const g = new Getter()
  getters.push(g)
  return g
}
const now = (): number => performance.now() * 1e6
const within = (ms: number): { signal: AbortSignal; now: () => number } => ({ signal: AbortSignal.timeout(ms), now })

afterEach(() => {
  for (const g of getters.splice(0)) g.close()
  for (const s of servers.splice(0)) {
    s.closeAllConnections()
    s.close()
  }
})

describe('fetching an exposition', () => {
  it('gives status, type, body and stamps in order, over one connection', async () => {
    const ports = new Set<number>()
    const url = await serve((req, res) => {
      ports.add(req.socket.remotePort!)
      res.setHeader('content-type', 'Text/Plain; version=0.0.4')
      setTimeout(() => res.end('a 1\n'), 5)
    })
    const g = getter()
    for (let i = 0; i < 3; i++) {
      const r = await g.get(`${url}/metrics`, within(2000))
      expect(r).toMatchObject({ status: 200, contentType: 'text/plain', complete: true, url: `${url}/metrics` })
      expect(r.body.toString()).toBe('a 1\n')
      expect(r.firstByteNs).toBeGreaterThan(r.askedNs)
    }
    expect(ports.size).toBe(1)
  })
  it('unpacks, and limits what is unpacked', async () => {
    const url = await serve((_, res) => res.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(3_000_000, 97))))
    expect((await getter().get(url, within(2000))).body).toHaveLength(3_000_000)
    await expect(getter().get(url, { ...within(2000), maxBytes: 100_000 })).rejects.toThrow('larger than 100000 bytes')
  })
  it('gives up a server that hangs before its head, or within its body, and one that floods', async () => {
    const silent = await serve(() => {})
    await expect(getter().get(silent, within(50))).rejects.toThrow(/abort|timeout/i)
    const stalled = await serve((_, res) => void res.write('a 1\n'))
    await expect(getter().get(stalled, within(50))).rejects.toThrow(/abort|timeout/i)
    const flood = await serve((_, res) => {
      const more = (): void => {
        while (!res.destroyed && res.write(Buffer.alloc(65536)));
        if (!res.destroyed) res.once('drain', more)
      }
      more()
    })
    await expect(getter().get(flood, { ...within(5000), maxBytes: 1_000_000 })).rejects.toThrow('larger')
  })
  it('says that a body was cut', async () => {
    const url = await serve((_, res) => {
      res.writeHead(200, { 'content-length': '100' })
      res.write('a 1\n')
      setTimeout(() => res.destroy(), 5)
    })
    await expect(getter().get(url, within(2000))).rejects.toThrow(/abort|hang up|reset/i)
    const open = await serve((_, res) => {
      res.shouldKeepAlive = false
      res.useChunkedEncodingByDefault = false
      res.end('a 1\n')
    })
    expect((await getter().get(open, within(2000))).complete).toBe(false)
  })
  it('tries once more when a kept connection was closed under it', async () => {
    let requests = 0
    const url = await serve((req, res) => {
      requests++
      if (requests === 2) req.socket.destroy()
      else res.end('x 1\n')
    })
    const g = getter()
    await g.get(url, within(2000))
    expect((await g.get(url, within(2000))).status).toBe(200)
    expect(requests).toBe(3)
  })
  it('follows redirects, keeps credentials at their origin, and speaks basic authentication', async () => {
    const seen: (string | undefined)[] = []
    const other = await serve((req, res) => {
      seen.push(req.headers.authorization)
      res.end('x 1\n')
    })
    const url = await serve((req, res) => {
      seen.push(req.headers.authorization)
      if (req.url === '/a') res.writeHead(302, { location: '/b' }).end()
      else if (req.url === '/b') res.writeHead(307, { location: `${other}/c` }).end()
      else res.end()
    })
    const r = await getter().get(`${url}/a`, { ...within(2000), headers: { authorization: 'Bearer s' } })
    expect(r.url).toBe(`${other}/c`)
    expect(seen).toEqual(['Bearer s', 'Bearer s', undefined])
    const basic = url.replace('http://', 'http://me:p%40ss@')
    expect((await getter().get(`${basic}/z`, within(2000))).url).toBe(`${url}/z`)
    expect(seen.at(-1)).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  })
})
