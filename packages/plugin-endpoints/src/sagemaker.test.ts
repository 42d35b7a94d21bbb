import type { Target, Transport, TransportContext } from '@aiperf/core'
import { EventStreamCodec, type MessageHeaders } from '@smithy/core/event-streams'
import fc from 'fast-check'
import { createHash, createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import sagemaker from './sagemaker.js'
import { EventStreamReader } from './sagemaker/event-stream.js'
import { placeOf } from './sagemaker/place.js'
import { exchange, now, request } from '../test/exchange.js'
import { rawServer, type RawServer } from '../test/raw-server.js'
import { afterwards, ANSWER } from '../test/set-up.js'

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET)
  vi.stubEnv('AWS_SESSION_TOKEN', 'token/1')
  vi.stubEnv('AWS_REGION', 'eu-north-1')
})
afterEach(() => vi.unstubAllEnvs())

const codec = new EventStreamCodec((b) => (typeof b === 'string' ? b : Buffer.from(b).toString('utf8')), (t) => Buffer.from(t))
const message = (headers: Record<string, string>, body: string): Uint8Array =>
  codec.encode({ headers: Object.fromEntries(Object.entries(headers).map(([k, value]) => [k, { type: 'string', value }])) as MessageHeaders, body: Buffer.from(body) })
const part = (body: string) => message({ ':message-type': 'event', ':event-type': 'PayloadPart', ':content-type': 'application/octet-stream' }, body)
const streamHead = (length: number) => `HTTP/1.1 200 OK\r\nContent-Type: application/vnd.amazon.eventstream\r\nX-Amzn-SageMaker-Content-Type: text/event-stream\r\nContent-Length: ${length}\r\n\r\n`

async function setUp(answer: Parameters<typeof rawServer>[0]): Promise<{ server: RawServer; transport: Transport; target: Target }> {
  const server = await rawServer(answer)
  afterwards(() => server.close())
  const transport = await sagemaker.create({ options: { region: '', keepAliveSeconds: 300 }, now } as TransportContext<never>)
  afterwards(() => transport.close())
  return { server, transport, target: { url: new URL('/endpoints/my-model/v1/chat/completions', server.url) } }
}

/** The signature of a request by the text of the specification, and by no package. */
function signatureOf(text: string): { given: string; made: string; signed: string[] } {
  const [head, body] = [text.slice(0, text.indexOf('\r\n\r\n')), text.slice(text.indexOf('\r\n\r\n') + 4)]
  const [line, ...lines] = head.split('\r\n')
  const headers = new Map(lines.map((l) => [l.slice(0, l.indexOf(':')).toLowerCase(), l.slice(l.indexOf(':') + 1).trim()]))
  const [, scope, names, given] = /Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\w+)/.exec(headers.get('authorization')!)!
  const hash = (data: string) => createHash('sha256').update(data, 'latin1').digest('hex')
  const [method, path] = line!.split(' ')
  const canonical = [method, path, '', ...names!.split(';').map((n) => `${n}:${headers.get(n)}`), '', names, hash(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers.get('x-amz-date'), scope, hash(canonical)].join('\n')
  const key = scope!.split('/').reduce<Buffer | string>((k, piece) => createHmac('sha256', k).update(piece).digest(), `AWS4${SECRET}`)
  return { given: given!, made: createHmac('sha256', key).update(toSign).digest('hex'), signed: names!.split(';') }
}

describe('a SageMaker request', () => {
  it('goes to invocations, signed, without the bearer token', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    const fixedHeaders = ['Accept', 'application/json', 'Authorization', 'Bearer secret', 'Content-Type', 'application/json']
    const seen = await exchange(transport, request(target, { fixedHeaders, headers: ['X-Request-ID', '1'] }))
    expect(seen.failure).toBeUndefined()
    const [sent] = server.requests
    expect(sent).toMatch(/^POST \/endpoints\/my-model\/invocations HTTP\/1\.1\r\n/)
    expect(sent).not.toContain('Bearer')
    expect(sent).toMatch(/x-amz-security-token: token\/1\r\n/)
    const { given, made, signed } = signatureOf(sent!)
    expect(given).toBe(made)
    expect(signed).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token']))
    expect(sent).toContain('/eu-north-1/sagemaker/aws4_request')
    expect(seen.calls.slice(-5)).toEqual(['written', 'first-byte', 'head', 'bytes', 'end'])
  })

  it('that streams goes to the response stream and reads like the stream of the model', async () => {
    const body = Buffer.concat([message({ ':message-type': 'event', ':event-type': 'initial-response' }, '{}'), part('data: {"a'), part('":1}\n\nda'), part('ta: [DONE]\n\n')])
    const { server, transport, target } = await setUp((_, socket) => {
      socket.write(streamHead(body.length))
      socket.write(body.subarray(0, 100))
      setTimeout(() => socket.write(body.subarray(100)), 20)
    })
    const seen = await exchange(transport, request(target))
    expect(server.requests[0]).toMatch(/^POST \/endpoints\/my-model\/invocations-response-stream /)
    expect(server.requests[0]).toContain('X-Amzn-SageMaker-Accept: text/event-stream\r\n')
    expect(seen).toMatchObject({ status: 200, body: 'data: {"a":1}\n\ndata: [DONE]\n\n', failure: undefined })
    expect(seen.headers.slice(0, 2)).toEqual(['Content-Type', 'text/event-stream'])
  })

  it('whose stream tells of a failure, or cannot be read, fails and keeps what came', async () => {
    const failing = message({ ':message-type': 'exception', ':exception-type': 'ModelStreamError', ':content-type': 'application/json' }, '{"Message":"too slow","ErrorCode":"ModelInvocationTimeExceeded"}')
    for (const [last, failure] of [
      [failing, { category: 'protocol', code: 'ModelStreamError', message: 'too slow (ModelInvocationTimeExceeded)', afterFirstByte: true }],
      [Buffer.alloc(20, 1), { category: 'protocol', code: 'EVENT_STREAM' }],
      [part('x').subarray(0, 30), { category: 'protocol', code: 'EVENT_STREAM', message: expect.stringContaining('within a message') }],
      [part('x').map((b, i) => (i === 40 ? b ^ 1 : b)), { category: 'protocol', code: 'EVENT_STREAM' }],
    ] as const) {
      const body = Buffer.concat([part('data: 1\n\n'), last])
      const { transport, target } = await setUp((_, socket) => socket.write(Buffer.concat([Buffer.from(streamHead(body.length)), body])))
      expect(await exchange(transport, request(target))).toMatchObject({ body: 'data: 1\n\n', failure })
    }
  })

  it('can be cancelled before and after it is signed', async () => {
    const { server, transport, target } = await setUp(() => {})
    let cancel = (): void => {}
    const early = exchange({ ...transport, send: (r, s) => { const sending = transport.send(r, s); cancel = () => sending.cancel(); return sending } }, request(target))
    cancel()
    expect((await early).failure).toMatchObject({ category: 'cancelled' })
    const late = await exchange(transport, request(target), (event, sending) => event === 'written' && sending!.cancel())
    expect(late.failure).toMatchObject({ category: 'cancelled' })
    expect(server.requests.length).toBeLessThanOrEqual(1)
  })
})

describe('a response stream', () => {
  it('reads the same however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 50 })), (payloads, cuts) => {
        const bytes = Buffer.concat(payloads.map(part))
        const reader = new EventStreamReader()
        let text = ''
        let at = 0
        for (const cut of [...cuts, bytes.length]) {
          reader.push(bytes.subarray(at, Math.min(bytes.length, at + cut)), (payload) => void (text += Buffer.from(payload).toString()))
          at = Math.min(bytes.length, at + cut)
        }
        expect(text).toBe(payloads.join(''))
        expect(reader.unfinished).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the place of an endpoint', () => {
  const of = (url: string, region = '') => {
    const place = placeOf({ url: new URL(url) }, region)
    return [place.target.url.href, place.region, place.path]
  }
  it('is read from either form of URL', () => {
    expect(of('sagemaker://us-east-1/llama/v1/chat/completions')).toEqual(['https://runtime.sagemaker.us-east-1.amazonaws.com/', 'us-east-1', '/endpoints/llama'])
    expect(of('sagemaker://cn-north-1/llama')).toEqual(['https://runtime.sagemaker.cn-north-1.amazonaws.com.cn/', 'cn-north-1', '/endpoints/llama'])
    expect(of('https://runtime.sagemaker.us-west-2.amazonaws.com/endpoints/llama/invocations')).toEqual(['https://runtime.sagemaker.us-west-2.amazonaws.com/', 'us-west-2', '/endpoints/llama'])
    expect(of('http://localhost:4566/proxy/endpoints/llama', 'eu-west-1')).toEqual(['http://localhost:4566/', 'eu-west-1', '/proxy/endpoints/llama'])
  })
  it('must name an endpoint and a region', () => {
    expect(() => of('sagemaker://us-east-1/')).toThrow(/names no SageMaker endpoint/)
    expect(() => of('https://x/v1/chat')).toThrow(/names no SageMaker endpoint/)
    expect(() => of('http://localhost/endpoints/llama')).toThrow(/region/)
  })
})

it('without credentials the run does not begin', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined)
  vi.stubEnv('AWS_CONFIG_FILE', '/nowhere/config')
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere/credentials')
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  await expect(sagemaker.create({ options: { region: '', keepAliveSeconds: 300 }, now } as TransportContext<never>)).rejects.toThrow(/No AWS credentials/)
})
