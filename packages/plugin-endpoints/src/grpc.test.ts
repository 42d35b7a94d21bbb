import type { OutgoingRequest, Target, Transport, TransportContext } from '@aiperf/core'
import { Server, ServerCredentials, status, type sendUnaryData, type ServerDuplexStream, type ServerUnaryCall, type ServiceError } from '@grpc/grpc-js'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import grpc from './grpc.js'
import { ModelInferRequest, ModelInferResponse, ModelStreamInferResponse, PLAIN, STREAM, UNARY } from './grpc/protocol.js'
import template from './template.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'
import { exchange, now, request } from '../test/exchange.js'
import { afterwards } from '../test/set-up.js'

interface Infer { model_name: string; model_version: string; id: string; parameters: Record<string, object>; inputs: { name: string; datatype: string; shape: number[]; contents: Record<string, unknown[]> }[] }
type Answer = (asked: Infer, reply: (message: object) => void, fail: (code: number, details: string) => void, peer: { metadata: Record<string, unknown>; address: string }) => void

/** A server of the protocol; `answer` may reply several times to a stream. */
async function serve(answer: Answer, credentials = ServerCredentials.createInsecure()): Promise<{ port: number; peers: Set<string> }> {
  const peers = new Set<string>()
  const server = new Server()
  const read = (bytes: Buffer): Infer => ModelInferRequest.toObject(ModelInferRequest.decode(bytes), { ...PLAIN, objects: true }) as Infer
  const asIs = (bytes: Buffer): Buffer => bytes
  const definition = (path: string, stream: boolean) => ({ path, requestStream: stream, responseStream: stream, requestSerialize: asIs, requestDeserialize: asIs, responseSerialize: asIs, responseDeserialize: asIs })
  const error = (code: number, details: string): ServiceError => Object.assign(new Error(details), { code, details }) as ServiceError
  server.addService({ ModelInfer: definition(UNARY, false), ModelStreamInfer: definition(STREAM, true) }, {
    ModelInfer(call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) {
      peers.add(call.getPeer())
      answer(read(call.request), (m) => done(null, Buffer.from(ModelInferResponse.encode(ModelInferResponse.fromObject(m)).finish())), (code, details) => done(error(code, details)), { metadata: call.metadata.getMap(), address: call.getPeer() })
    },
    ModelStreamInfer(call: ServerDuplexStream<Buffer, Buffer>) {
      peers.add(call.getPeer())
      call.on('data', (bytes: Buffer) => {
        answer(read(bytes), (m) => call.write(Buffer.from(ModelStreamInferResponse.encode(ModelStreamInferResponse.fromObject(m)).finish())), (code, details) => (code === 0 ? call.end() : call.emit('error', error(code, details))), { metadata: call.metadata.getMap(), address: call.getPeer() })
      })
    },
  })
  const port = await new Promise<number>((resolve, reject) => server.bindAsync('127.0.0.1:0', credentials, (e, p) => (e ? reject(e) : resolve(p))))
  afterwards(() => server.forceShutdown())
  return { port, peers }
}

async function transport(channels = 2): Promise<Transport> {
  const made = await grpc.create({ options: { channels }, now } as TransportContext<never>)
  afterwards(() => made.close())
  return made
}

const BODY = { inputs: [{ name: 'text_input', datatype: 'BYTES', shape: [1], data: ['Hi'] }, { name: 'n', datatype: 'INT64', shape: [1, 2], data: [[1, 2]] }], parameters: { stream: true, temperature: 0.5, k: 3, stop: 'x' } }
const infer = (target: Target, streaming = false, extra: Partial<OutgoingRequest> = {}): OutgoingRequest =>
  request(target, { path: '/v2/models/llama/versions/3/infer', fixedHeaders: ['Accept', streaming ? 'text/event-stream' : 'application/json', 'Authorization', 'Bearer k', 'User-Agent', 'x'], headers: ['X-Request-ID', 'r1'], body: Buffer.from(JSON.stringify(BODY)), ...extra })
const text8 = (value: string): Buffer => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}

describe('Open Inference Protocol over gRPC', () => {
  it('sends a body in JSON form and reads the answer back into it', async () => {
    let asked: Infer | undefined
    let metadata: Record<string, unknown> = {}
    const { port } = await serve((message, reply, _, peer) => {
      asked = message
      metadata = peer.metadata
      reply({ model_name: 'llama', id: 'r1', outputs: [{ name: 'a', datatype: 'FP32', shape: [2] }, { name: 'b', datatype: 'BYTES', shape: [1], contents: { bytes_contents: [Buffer.from('é')] } }], raw_output_contents: [Buffer.from([0, 0, 128, 63, 0, 0, 0, 64])] })
    })
    const seen = await exchange(await transport(), infer({ url: new URL(`grpc://127.0.0.1:${port}/`) }))
    expect(asked).toMatchObject({
      model_name: 'llama', model_version: '3', id: 'r1',
      parameters: { stream: { bool_param: true }, temperature: { double_param: 0.5 }, k: { int64_param: 3 }, stop: { string_param: 'x' } },
      inputs: [{ name: 'text_input', datatype: 'BYTES', shape: [1], contents: { bytes_contents: [Buffer.from('Hi')] } }, { name: 'n', datatype: 'INT64', shape: [1, 2], contents: { int64_contents: [1, 2] } }],
    })
    expect(metadata).toMatchObject({ authorization: 'Bearer k', 'x-request-id': 'r1' })
    expect(seen.failure).toBeUndefined()
    expect(seen).toMatchObject({ status: 200, headers: ['content-type', 'application/json'] })
    expect(JSON.parse(Buffer.from(seen.body, 'latin1').toString())).toMatchObject({ model_name: 'llama', id: 'r1', outputs: [{ name: 'a', data: [1, 2] }, { name: 'b', data: ['é'] }] })
    expect(seen.calls).toEqual(['assigned', 'written', 'first-byte', 'head', 'bytes', 'end'])
    expect(seen.connection!.bytesSent).toBeGreaterThan(20)
  })

  it('streams each response as a line, stamped as it comes', async () => {
    const { port } = await serve((_, reply, end) => {
      for (const [i, piece] of ['Hel', 'lo'].entries()) setTimeout(() => reply({ infer_response: { outputs: [{ name: 'text_output', datatype: 'BYTES', shape: [1] }], raw_output_contents: [text8(piece)] } }), 20 * i)
      setTimeout(() => reply({ infer_response: { parameters: { triton_final_response: { bool_param: true } } } }), 60)
      setTimeout(() => end(0, ''), 80)
    })
    const stamps: number[] = []
    const seen = await exchange(await transport(), infer({ url: new URL(`grpc://127.0.0.1:${port}/`) }, true), (event) => event === 'bytes' && stamps.push(now()))
    expect(seen).toMatchObject({ status: 200, headers: ['content-type', 'application/x-ndjson'], failure: undefined })
    expect(seen.body.trimEnd().split('\n').map((line) => (JSON.parse(line) as { outputs: { data: string[] }[] }).outputs[0]!.data[0])).toEqual(['Hel', 'lo'])
    expect(stamps[1]! - stamps[0]!).toBeGreaterThan(5e6)
  })

  it('tells the server\'s errors as the HTTP status that means the same, within a stream as an error', async () => {
    const { port } = await serve((asked, reply, fail) => {
      if (asked.id === 'late') {
        reply({ error_message: 'queue is full' })
        setTimeout(() => fail(status.INTERNAL, 'broke'), 20)
      } else fail(asked.id === 'none' ? status.NOT_FOUND : status.UNAVAILABLE, asked.id === 'none' ? "no model 'llama'" : 'model is loading')
    })
    const target = { url: new URL(`grpc://127.0.0.1:${port}/`) }
    const via = await transport()
    expect(await exchange(via, infer(target, false, { headers: ['X-Request-ID', 'none'] }))).toMatchObject({ status: 404, body: "no model 'llama'", failure: undefined })
    expect(await exchange(via, infer(target))).toMatchObject({ status: 503, body: 'model is loading', failure: undefined })
    const late = await exchange(via, infer(target, true, { headers: ['X-Request-ID', 'late'] }))
    expect(late.body.trimEnd().split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([{ error: 'queue is full' }, { error: { message: 'broke', code: 500 } }])
  })

  it('tells failures of the connection, time limits and cancelling apart', async () => {
    const { port } = await serve(() => {})
    const via = await transport()
    const target = { url: new URL(`grpc://127.0.0.1:${port}/`) }
    expect((await exchange(via, infer({ url: new URL('grpc://127.0.0.1:9/') }))).failure).toMatchObject({ category: 'connect', code: 'ECONNREFUSED', afterFirstByte: false })
    expect((await exchange(via, infer(target, false, { timeoutMs: 80 }))).failure).toMatchObject({ category: 'timeout', code: 'TIMEOUT' })
    expect((await exchange(via, infer(target, true), (event, sending) => event === 'written' && sending!.cancel())).failure).toMatchObject({ category: 'cancelled' })
  })

  it('refuses bodies that are not the protocol\'s', async () => {
    const via = await transport()
    const target = { url: new URL('grpc://127.0.0.1:9/') }
    for (const [body, message] of [['{"prompt":"a"}', '"inputs"'], ['nonsense', 'JSON'], ['{"inputs":[{"name":"a","datatype":"TEXT"}]}', 'data type "TEXT"']] as const)
      expect((await exchange(via, infer(target, false, { body: Buffer.from(body) }))).failure).toMatchObject({ category: 'protocol', code: 'BAD_BODY', message: expect.stringContaining(message) })
  })

  it('spreads requests over its channels, or keeps one for a key', async () => {
    const { port, peers } = await serve((_, reply) => reply({ outputs: [] }))
    const via = await transport(3)
    const target = { url: new URL(`grpc://127.0.0.1:${port}/`) }
    await via.open(target, 10)
    const all = await Promise.all(Array.from({ length: 9 }, () => exchange(via, infer(target))))
    expect(peers.size).toBe(3)
    expect(all.filter((s) => s.connection!.reused)).toHaveLength(6)
    const key = { connection: { key: 'a', last: false } }
    const a = await exchange(via, infer(target, false, key))
    expect((await exchange(via, infer(target, false, key))).connection).toMatchObject({ id: a.connection!.id, reused: true })
    await exchange(via, infer(target, false, { connection: 'never' }))
    expect(peers.size).toBe(5)
  })

  it('speaks TLS', async () => {
    const pems = await generate([{ name: 'commonName', value: 'localhost' }], { extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }] } as never)
    const { port } = await serve((_, reply) => reply({ outputs: [] }), ServerCredentials.createSsl(null, [{ private_key: Buffer.from(pems.private), cert_chain: Buffer.from(pems.cert) }]))
    const via = await transport(1)
    const url = new URL(`grpcs://127.0.0.1:${port}/`)
    expect((await exchange(via, infer({ url, tls: { rejectUnauthorized: true, ca: pems.cert } }))).status).toBe(200)
    expect((await exchange(via, infer({ url, tls: { rejectUnauthorized: false } }))).status).toBe(200)
    expect((await exchange(via, infer({ url }))).failure).toMatchObject({ category: 'tls' })
  })

  it('takes its bodies from a template', async () => {
    const { encode } = await endpoint(template, { options: { payloadTemplate: '{"inputs": [{"name": "text_input", "datatype": "BYTES", "shape": [1], "data": [{{ text | tojson }}]}]}' } })
    let data: unknown
    const { port } = await serve((asked, reply) => {
      data = asked.inputs[0]!.contents['bytes_contents']
      reply({ outputs: [] })
    })
    await exchange(await transport(), infer({ url: new URL(`grpc://127.0.0.1:${port}/`) }, false, { body: Buffer.from(JSON.stringify(bodyOf(encode(input(text('"Hi"')))))) }))
    expect(data).toEqual([Buffer.from('"Hi"')])
  })
})
