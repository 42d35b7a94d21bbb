import { AiperfError } from '@aiperf/core'
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { defaultProvider } from '@aws-sdk/credential-provider-node'

/** SHA-256 in the form that the signing package asks for. */
class Sha256 {
  #hash: Hash | Hmac
  readonly #secret: string | Uint8Array | undefined
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = typeof secret === 'string' || secret === undefined ? secret : bytesOf(secret)
    this.#hash = this.#fresh()
  }
  #fresh(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret)
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data))
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }
  reset(): void {
    this.#hash = this.#fresh()
  }
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}

/** What is signed, and what comes of it: headers to add, by lower-case name. */
export interface Signing {
  method: string
  url: URL
  path: string
  headers: Record<string, string>
  body: Uint8Array
}

/** Signs requests to SageMaker with the credentials of AWS's standard chain, which renews them. */
export class RequestSigner {
  readonly #credentials = defaultProvider()
  readonly #byRegion = new Map<string, SignatureV4>()

  /** Finds credentials now, so that a run without them ends before it begins. */
  async check(): Promise<void> {
    try {
      await this.#credentials()
    } catch (error) {
      throw new AiperfError('E_CONFIG', `No AWS credentials were found: ${(error as Error).message}`, { hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or run where a role gives them.' })
    }
  }

  async sign(region: string, { method, url, path, headers, body }: Signing): Promise<Record<string, string>> {
    let signer = this.#byRegion.get(region)
    if (signer === undefined) this.#byRegion.set(region, (signer = new SignatureV4({ service: 'sagemaker', region, credentials: this.#credentials, sha256: Sha256 })))
    const signed = await signer.sign({ method, protocol: url.protocol, hostname: url.hostname, path, query: {}, headers: { ...headers, host: url.host }, body })
    return signed.headers
  }
}
