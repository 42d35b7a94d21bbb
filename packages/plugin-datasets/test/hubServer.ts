import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Hosted {
  type: 'model' | 'dataset'
  name: string
  commit: string
  files: Record<string, string | Uint8Array>
  downloads?: number
  /** Only with this token. */
  token?: string
  /** The branch in which the hub keeps the set as Parquet. */
  converted?: { commit: string; files: Record<string, string | Uint8Array> }
}

/** What the hub's API answers for these repositories; `requests` are the paths that were asked for. */
export async function hubServer(hosted: Hosted[]): Promise<{ url: string; requests: string[]; close(): Promise<void> }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://hub')
    const path = url.pathname
    requests.push(`${path}${url.search}`)
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    const search = url.searchParams.get('search')
    if (path === '/api/models') {
      const found = hosted.filter((item) => item.type === 'model' && item.name.toLowerCase().includes((search ?? '').toLowerCase()))
      return json(200, found.map((item) => ({ _id: item.name, id: item.name, downloads: item.downloads ?? 0, lastModified: '2025-01-01T00:00:00Z', likes: 0, private: false })))
    }
    const item = hosted.find(({ type, name }) => path.startsWith(`/api/${type}s/${name}/`) || path.startsWith(`${type === 'dataset' ? '/datasets' : ''}/${name}/resolve/`))
    if (!item) return json(404, { error: 'Repository not found' }, { 'x-error-code': 'RepoNotFound' })
    if (item.token !== undefined && request.headers.authorization !== `Bearer ${item.token}`) return json(401, { error: 'Access is restricted' }, { 'x-error-code': 'GatedRepo' })
    const rest = path.split(`/${item.name}/`)[1]!
    const revision = decodeURIComponent(rest.split('/')[1]!)
    const at = [item, item.converted].find((state) => state && (revision === state.commit || revision === (state === item ? 'main' : 'refs/convert/parquet')))
    if (!at) return json(404, { error: `Invalid rev id: ${revision}` }, { 'x-error-code': 'RevisionNotFound' })
    if (rest.startsWith('revision/')) return json(200, { _id: item.name, id: item.name, sha: at.commit, lastModified: '2025-01-01T00:00:00Z', downloads: 0, likes: 0, private: false })
    if (rest.startsWith('tree/'))
      return json(200, Object.entries(at.files).map(([name, content]) => ({ type: 'file', path: name, size: content.length, oid: `oid-${name}` })))
    const name = decodeURIComponent(rest.split('/').slice(2).join('/'))
    const content = at.files[name]
    if (content === undefined) return json(404, { error: 'Entry not found' }, { 'x-error-code': 'EntryNotFound' })
    const bytes = Buffer.from(content)
    const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '')
    const start = range ? Number(range[1]) : 0
    const end = range?.[2] ? Math.min(Number(range[2]) + 1, bytes.length) : bytes.length
    response.writeHead(range ? 206 : 200, { etag: `"${at.commit.slice(0, 8)}-${name.replaceAll('/', '_')}"`, 'accept-ranges': 'bytes', 'content-length': end - start, ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` } : {}) })
    response.end(bytes.subarray(start, end))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise((closed) => { server.close(() => closed()); server.closeAllConnections() }),
  }
}
