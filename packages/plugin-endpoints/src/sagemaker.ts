import { defineTransport, type ByteSink, type OutgoingRequest, type Sending, type Target, type Transport, type TransportContext } from '@aiperf/core'
import http from './http.js'
import { placeOf, type Place } from './sagemaker/place.js'
import type { RequestSigner } from './sagemaker/signer.js'
import type { Unpacking } from './sagemaker/unpacking.js'
import type options from './sagemaker.options.js'

type Context = TransportContext<(typeof options)['_zod']['output']>

/**
 * Amazon SageMaker real-time endpoints over the lean HTTP transport: each request is signed (the time it takes lies before
 * `assigned`), a streaming one goes to `invocations-response-stream`, and its event stream reaches the sink unpacked.
 */
class SageMakerTransport implements Transport {
  readonly #http: Transport
  readonly #now: () => number
  readonly #signer: RequestSigner
  readonly #Unpacking: typeof Unpacking
  readonly #region: string
  readonly #places = new WeakMap<Target, Place>()
  readonly #fixed = new WeakMap<readonly string[], { headers: string[]; streaming: boolean }>()

  constructor(inner: Transport, signer: RequestSigner, unpacking: typeof Unpacking, { options, now }: Context) {
    this.#http = inner
    this.#now = now
    this.#signer = signer
    this.#Unpacking = unpacking
    this.#region = options.region || process.env['AWS_REGION'] || process.env['AWS_DEFAULT_REGION'] || ''
  }

  open(target: Target, count: number): Promise<void> {
    return this.#http.open(this.#place(target).target, count)
  }

  send(request: OutgoingRequest, sink: ByteSink): Sending {
    const unpacking = new this.#Unpacking(sink, this.#now)
    this.#sign(request).then(
      (signed) => unpacking.sent(() => this.#http.send(signed, unpacking)),
      (error: Error) => unpacking.fail({ category: 'connect', code: 'SIGNING', message: `the request could not be signed: ${error.message}`, afterFirstByte: false }, this.#now(), undefined),
    )
    return unpacking
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async #sign(request: OutgoingRequest): Promise<OutgoingRequest> {
    const { target, region, path: endpoint } = this.#place(request.target)
    const { headers: fixedHeaders, streaming } = this.#withoutAuthorization(request.fixedHeaders)
    const path = `${endpoint}/${streaming ? 'invocations-response-stream' : 'invocations'}`
    const body = request.body ?? new Uint8Array(0)
    const own = Object.entries(await this.#signer.sign(region, { method: request.method, url: target.url, path, headers: {}, body }))
    return { ...request, target, path, fixedHeaders, body, headers: [...request.headers, ...own.filter(([name]) => name !== 'host').flat()] }
  }

  #place(target: Target): Place {
    let place = this.#places.get(target)
    if (place === undefined) this.#places.set(target, (place = placeOf(target, this.#region)))
    return place
  }

  /** The run's headers without a bearer token, which the signature replaces, and whether they ask for a stream. */
  #withoutAuthorization(fixed: readonly string[]): { headers: string[]; streaming: boolean } {
    let known = this.#fixed.get(fixed)
    if (known !== undefined) return known
    known = { headers: [], streaming: false }
    for (let i = 0; i < fixed.length; i += 2) {
      const name = fixed[i]!.toLowerCase()
      if (name === 'authorization') continue
      if (name === 'accept') {
        known.streaming = fixed[i + 1] === 'text/event-stream'
        if (known.streaming) known.headers.push('X-Amzn-SageMaker-Accept', fixed[i + 1]!)
      }
      known.headers.push(fixed[i]!, fixed[i + 1]!)
    }
    this.#fixed.set(fixed, known)
    return known
  }
}

export default defineTransport<typeof options>({
  async create(context) {
    const [{ RequestSigner }, { Unpacking }] = await Promise.all([import('./sagemaker/signer.js'), import('./sagemaker/unpacking.js')])
    const signer = new RequestSigner()
    await signer.check()
    const inner = await http.create({ options: { keepAliveSeconds: context.options.keepAliveSeconds, dnsTtlSeconds: 300 }, now: context.now })
    return new SageMakerTransport(inner, signer, Unpacking, context)
  },
})
