import type { WireRequest } from '@aiperf/core'

/** Parts of a multipart body as an independent parser reads them. */
export async function formOf(request: WireRequest): Promise<[name: string, value: string | { name: string; type: string; bytes: Buffer }][]> {
  const form = await new Response(Buffer.from(request.body), { headers: { 'content-type': request.contentType } }).formData()
  return Promise.all(
    [...form.entries()].map(async ([name, value]): Promise<[string, string | { name: string; type: string; bytes: Buffer }]> =>
      typeof value === 'string' ? [name, value] : [name, { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) }]),
  )
}
