/** Places where an endpoint may be, best first; the first that answers with metrics is taken. */
export interface Wanted {
  /** What is shown when none answers. */
  first: string
  urls: string[]
  asked: boolean
}

const TRITON_METRICS_PORT = '8002'
const TRITON_PORTS = new Set(['8000', '8001'])

/**
 * Where the server of a run's URL may show its metrics: at its root, whatever API path the URL carries, below the path
 * itself (a proxy may serve several servers under one host), and where Triton has them. Undefined when it speaks no HTTP.
 */
export function ofServer(address: string): Wanted | undefined {
  const url = httpUrl(address)
  if (!url) return undefined
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('/metrics')) return wanted([at(url, path)], false)
  // `/v1` and what follows it is the API's; what precedes it may be a proxy's.
  const api = /^(.*?)\/v\d+(?:\/.*)?$/.exec(path)
  const root = api ? api[1]! : path
  const paths = api ? [`${root}/metrics`, `${path}/metrics`, '/metrics'] : [`${path}/metrics`, '/metrics']
  const urls = [...new Set(paths)].map((p) => at(url, p))
  if (TRITON_PORTS.has(url.port)) {
    const triton = new URL(at(url, '/metrics'))
    triton.port = TRITON_METRICS_PORT
    urls.push(triton.href)
  }
  return wanted(urls, false)
}

/** An endpoint the user named: as it is, else with `/metrics` appended. A text says why it cannot be used. */
export function ofUser(address: string): Wanted | string {
  const url = httpUrl(address)
  if (!url) return `${address} is no http: or https: URL`
  const path = url.pathname.replace(/\/+$/, '')
  return wanted(path === '' ? [at(url, '/metrics')] : [at(url, path), ...(path.endsWith('/metrics') ? [] : [at(url, `${path}/metrics`)])], true)
}

/** TensorRT-LLM's server has JSON under `/metrics`; its Prometheus text is beside it. */
export const besideJson = (address: string): string | undefined => (address.endsWith('/metrics') && !address.endsWith('/prometheus/metrics') ? address.replace(/\/metrics$/, '/prometheus/metrics') : undefined)

const wanted = (urls: string[], asked: boolean): Wanted => ({ first: urls[0]!, urls, asked })

function httpUrl(address: string): URL | undefined {
  const text = address.includes('://') ? address : `http://${address}`
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}

function at(url: URL, path: string): string {
  const copy = new URL(url)
  copy.pathname = path
  copy.hash = ''
  copy.search = ''
  return copy.href
}
