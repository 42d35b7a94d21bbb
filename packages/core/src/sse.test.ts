import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SseParser } from './sse.js'

type Block = { event: string; data: string; comment: string }
const bytes = (text: string) => new TextEncoder().encode(text)

function parse(pieces: Uint8Array[]): Block[] {
  const blocks: Block[] = []
  const listener = (event: string, data: Uint8Array, comment: string) => blocks.push({ event, data: Buffer.from(data).toString(), comment })
  const parser = new SseParser()
  for (const piece of pieces) {
    const view = piece.slice()
    parser.push(view, listener)
    view.fill(0xff) // a view is not kept
  }
  parser.end(listener)
  return blocks
}

/** The standard's algorithm on a whole text, with strings. */
function oracle(stream: string): Block[] {
  const blocks: Block[] = []
  let data: string[] = []
  let event = ''
  let comment: string[] = []
  const dispatch = () => {
    const said = comment.join('\n').replace(/^\n+/, '')
    if (data.length > 0 || event !== '' || said !== '') blocks.push({ event, data: data.join('\n'), comment: said })
    data = []
    comment = []
    event = ''
  }
  const lines = stream.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  for (const line of lines) {
    if (line === '') { dispatch(); continue }
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
    else if (colon === 0) comment.push(value)
  }
  dispatch()
  return blocks
}

function cut(whole: Uint8Array, at: number[]): Uint8Array[] {
  const places = [0, ...at.map((x) => x % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return places.slice(1).map((end, i) => whole.subarray(places[i], end))
}

const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
const value = fc.oneof(fc.constant(''), fc.constantFrom('[DONE]', ' two spaces', '{"a":"é€😀"}', 'a:b', 'data: x', '\uFEFF'), fc.string({ unit: 'grapheme', maxLength: 12 }).map((s) => s.replace(/[\r\n]/g, '')))
const field = fc.tuple(fc.constantFrom('data', 'data', 'data', 'event', 'id', 'retry', '', 'dat', 'datax', 'events'), fc.constantFrom(': ', ':', ''), value)
  .map(([name, separator, text]) => (separator === '' ? name : name + separator + text))
const line = fc.oneof({ weight: 3, arbitrary: field }, { weight: 2, arbitrary: fc.constant('') })
const stream = fc.tuple(fc.constantFrom('', '\uFEFF'), fc.array(fc.tuple(line, lineEnd), { maxLength: 30 }), line)
  .map(([bom, lines, last]) => bom + lines.map(([l, end]) => l + end).join('') + last)

describe('SseParser', () => {
  test('reports what the standard says, whatever the cuts', () => {
    fc.assert(fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, at) => {
      const whole = bytes(text)
      const expected = oracle(text)
      expect(parse([whole])).toEqual(expected)
      expect(parse(cut(whole, at))).toEqual(expected)
    }), { numRuns: 2000 })
  })

  test('reports the same for single bytes', () => {
    fc.assert(fc.property(stream, (text) => {
      const whole = bytes(text)
      expect(parse([...whole].map((b) => Uint8Array.of(b)))).toEqual(oracle(text))
    }), { numRuns: 300 })
  })

  test('takes CRLF, no space after the colon, and several data lines', () => {
    expect(parse([bytes('data:{"a":1}\r\n\r\ndata: x\r\ndata:\r\ndata:  y\r\n\r\n')])).toEqual([
      { event: '', data: '{"a":1}', comment: '' },
      { event: '', data: 'x\n\n y', comment: '' },
    ])
  })

  test('reports a named event whose text is only in a comment, and comments between events', () => {
    expect(parse([bytes(': keep-alive\n\n:\n\nevent: error\n: worker 3 was lost\n\n')])).toEqual([
      { event: '', data: '', comment: 'keep-alive' },
      { event: 'error', data: '', comment: 'worker 3 was lost' },
    ])
  })

  test('reports the block that the end of the stream left open, once', () => {
    expect(parse([bytes('data: a\n\ndata: [DO'), bytes('NE]')])).toEqual([
      { event: '', data: 'a', comment: '' },
      { event: '', data: '[DONE]', comment: '' },
    ])
    expect(parse([bytes('data: a\n')])).toHaveLength(1)
    expect(parse([bytes('data: a\n\n')])).toHaveLength(1)
    expect(parse([])).toEqual([])
  })

  test('reports a block as soon as its blank line is whole, also after a lone CR', () => {
    const parser = new SseParser()
    let seen = 0
    const listener = () => { seen++ }
    parser.push(bytes('data: a\r\n\r'), listener)
    expect(seen).toBe(1)
    parser.push(bytes('\ndata: b\n'), listener)
    expect(seen).toBe(1)
    parser.push(bytes('\n'), listener)
    expect(seen).toBe(2)
  })

  test('takes a line of megabytes in small reads in linear time', () => {
    const whole = bytes(`data: ${'x'.repeat(8_000_000)}\n\n`)
    const pieces: Uint8Array[] = []
    for (let i = 0; i < whole.length; i += 4096) pieces.push(whole.subarray(i, i + 4096))
    const blocks = parse(pieces)
    expect(blocks).toHaveLength(1)
    expect(blocks[0]!.data).toHaveLength(8_000_000)
  })

  test('can be used for another stream after the end', () => {
    const parser = new SseParser()
    const seen: string[] = []
    const listener = (_: string, data: Uint8Array) => { seen.push(Buffer.from(data).toString()) }
    parser.push(bytes('data: a\r'), listener)
    parser.end(listener)
    parser.push(bytes('\uFEFFdata: b\n\n'), listener)
    expect(seen).toEqual(['a', 'b'])
  })

  test('tells of every line as it came', () => {
    const lines: [string, string][] = []
    const parser = new SseParser((name, v) => lines.push([name, Buffer.from(v).toString()]))
    parser.push(bytes('id: 7\nretry:10\n: note\nevent: delta\ndata: x\ndata\n\n'), () => {})
    expect(lines).toEqual([['id', '7'], ['retry', '10'], ['', 'note'], ['event', 'delta'], ['data', 'x'], ['data', '']])
  })
})
