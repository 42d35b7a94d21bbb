import { expect, test } from 'vitest'
import { postText } from '../../test/raw-client.js'
import { RequestParser } from './parser.js'

const stream = [
  postText('/a?b=c', { hello: 'world' }),
  'GET /b HTTP/1.1\r\nHost: x\r\n\r\n\r\n',
  'POST /c HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nA;x\r\n0123456789\r\n0\r\nt: u\r\n\r\n',
  postText('/d', 'x'.repeat(50)),
].join('')

function parsed(pieces: readonly Buffer[]): string[] {
  const parser = new RequestParser(1000, 1000)
  const requests: string[] = []
  for (const piece of pieces) {
    parser.feed(piece)
    for (let request = parser.take(); request; request = parser.take()) requests.push(`${request.method} ${request.path} ${request.body.toString()}`)
  }
  expect(parser.buffered).toBe(0)
  return requests
}

test('wherever the bytes are cut, the same requests come out', () => {
  const bytes = Buffer.from(stream)
  const whole = parsed([bytes])
  expect(whole).toEqual(['POST /a {"hello":"world"}', 'GET /b ', 'POST /c abc0123456789', `POST /d ${'x'.repeat(50)}`])
  for (let cut = 1; cut < bytes.length; cut++) {
    expect(parsed([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(whole)
  }
  for (const size of [1, 2, 3, 7]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
    expect(parsed(pieces)).toEqual(whole)
  }
})
