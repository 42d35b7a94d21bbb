import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

export interface Answer {
  status: number
  body: string
}

/** One request outside the measurement: readiness, cache reset, profiler hooks. Rejects when there is no answer. */
export function ask(
  url: URL,
  options: { method: string; headers?: Record<string, string>; body?: Uint8Array; timeoutMs: number; tls: { verify: boolean; ca?: string }; family?: number },
): Promise<Answer> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sending = send(
      url,
      {
        method: options.method,
        headers: { ...options.headers, ...(options.body ? { 'content-length': String(options.body.length) } : {}) },
        agent: false,
        rejectUnauthorized: options.tls.verify,
        ...(options.tls.ca === undefined ? {} : { ca: options.tls.ca }),
        ...(options.family ? { family: options.family } : {}),
        signal: AbortSignal.timeout(Math.max(1, Math.ceil(options.timeoutMs))),
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }))
        response.on('error', reject)
      },
    )
    sending.on('error', reject)
    sending.end(options.body)
  })
}
