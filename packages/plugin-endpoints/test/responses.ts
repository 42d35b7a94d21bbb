import fc from 'fast-check'

/** A response as bytes, and what it says if nothing was done to it. */
export interface Response {
  bytes: Buffer
  /** False when bytes were changed, cut off or inserted: then only agreement matters. */
  intact: boolean
  status: number
  body: string
  untilClose: boolean
}

const name = fc.constantFrom('Date', 'Server', 'content-type', 'X-Request-Id', 'x-foo_bar', 'Set-Cookie', 'Vary')
const value = fc.oneof(fc.constantFrom('', 'a', 'text/event-stream; charset=utf-8', 'é"\t"', ' padded '), fc.stringMatching(/^[ -~]{0,20}$/))
const extra = fc.array(fc.tuple(name, value), { maxLength: 5 })
const body = fc.array(fc.constantFrom('a', '\r', '\n', '\r\n', '0', 'data: {"x":1}\n\n', 'HTTP/1.1 200 OK\r\n\r\n', '\0', 'ÿ'), { maxLength: 12 }).map((p) => p.join(''))
const framing = fc.constantFrom('length', 'chunked', 'close')
const status = fc.constantFrom(200, 200, 200, 201, 400, 404, 429, 500, 503)
const chunkSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 10 })
const chunkEnd = fc.constantFrom('', '', '', ';a', ';a=b', ';a="b\\"c";d')
const trailers = fc.constantFrom('', '', 'X-T: v\r\n', 'A: b\r\nC: d\r\n')
const damage = fc.option(
  fc.record({ at: fc.nat(), with: fc.constantFrom('', '\r', '\n', ' ', ':', '\0', 'x', '0', 'f', ';', '=', ',', '\r\n', '"', '\xff', '\t'), remove: fc.integer({ min: 0, max: 3 }) }),
  { freq: 2, nil: undefined },
)
const cut = fc.option(fc.nat(), { freq: 1, nil: undefined })

/** Responses in all framings, a good part of them damaged. */
export const responseBytes: fc.Arbitrary<Response> = fc
  .record({ extra, body, framing, status, chunkSizes, chunkEnd, trailers, damage, cut, close: fc.boolean(), version: fc.constantFrom('1.1', '1.1', '1.1', '1.0') })
  .map((r) => {
    const lines = r.extra.map(([n, v]) => `${n}: ${v}\r\n`)
    let content = r.body
    if (r.framing === 'length') lines.push(`Content-Length: ${r.body.length}\r\n`)
    if (r.framing === 'chunked') {
      lines.splice(1, 0, 'Transfer-Encoding: chunked\r\n')
      content = chunked(r.body, r.chunkSizes, r.chunkEnd) + `0\r\n${r.trailers}\r\n`
    }
    if (r.close) lines.push('Connection: close\r\n')
    const whole = Buffer.from(`HTTP/${r.version} ${r.status} Because\r\n${lines.join('')}\r\n${content}`, 'latin1')
    const bytes = damaged(whole, r.damage, r.cut)
    return { bytes, intact: bytes.equals(whole), status: r.status, body: r.body, untilClose: r.framing === 'close' }
  })

function chunked(text: string, sizes: number[], end: string): string {
  let out = ''
  for (let at = 0, i = 0; at < text.length; i++) {
    const piece = text.slice(at, at + sizes[i % sizes.length]!)
    out += `${piece.length.toString(16)}${end}\r\n${piece}\r\n`
    at += piece.length
  }
  return out
}

function damaged(bytes: Buffer, damage: { at: number; with: string; remove: number } | undefined, cutAt: number | undefined): Buffer {
  let result = bytes
  if (damage !== undefined) {
    const at = damage.at % bytes.length
    result = Buffer.concat([bytes.subarray(0, at), Buffer.from(damage.with), bytes.subarray(at + damage.remove)])
  }
  return cutAt === undefined ? result : result.subarray(0, cutAt % (result.length + 1))
}
