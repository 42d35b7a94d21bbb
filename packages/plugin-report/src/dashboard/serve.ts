import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { AiperfError } from '@aiperf/core'
import type { ThemeName } from '../figure/theme.js'
import { html } from '../report/markup.js'
import { shell } from '../report/shell.js'
import type { ReadContext } from '../runs/read.js'
import { Routes, type Answer } from './routes.js'

export interface DashboardRequest {
  paths: readonly string[]
  host: string
  port: number
  theme?: ThemeName
  config?: string
}

export interface Dashboard {
  url: string
  close(): Promise<void>
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the dashboard of the runs at or below the paths. Beyond loopback every request must bear the key of the URL. */
export async function serveDashboard({ paths, host, port, theme, config }: DashboardRequest, context: ReadContext): Promise<Dashboard> {
  const routes = await Routes.open(paths, config, context)
  const key = LOOPBACK.has(host) ? undefined : randomBytes(16).toString('hex')
  const server = createServer((request, response) => void handle(request, response, routes, key, theme))
  try {
    await listen(server, port, host)
  } catch (cause) {
    routes.close()
    const busy = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
    throw new AiperfError('E_COMMAND', busy ? `Port ${port} of ${host} is in use.` : `The dashboard cannot listen on ${host}:${port}: ${(cause as Error).message}.`, { hint: '--port 0 takes any free port.', cause })
  }
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${host}]` : host
  return {
    url: `http://${shown}:${address.port}/${key === undefined ? '' : `?key=${key}`}`,
    close: () => new Promise((done) => {
      routes.close()
      server.close(() => done())
      server.closeAllConnections()
    }),
  }
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve))

async function handle(request: IncomingMessage, response: ServerResponse, routes: Routes, key: string | undefined, theme: ThemeName | undefined): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://dashboard')
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, { status: 405, type: 'text/plain', body: 'Only GET.' })
    if (!allowed(request, url, key)) return send(response, { status: 403, type: 'text/plain', body: 'This dashboard answers to the address that it printed.' })
    if (url.pathname === '/') {
      const keep = key === undefined ? {} : { 'set-cookie': `key=${key}; HttpOnly; SameSite=Strict; Path=/` }
      return send(response, { status: 200, type: 'text/html', body: page(routes, theme) }, keep)
    }
    send(response, await routes.answer(url.pathname, url.searchParams))
  } catch (error) {
    const status = (error as AiperfError).name === 'AiperfError' ? 400 : 500
    send(response, { status, type: 'text/plain', body: (error as Error).message })
  }
}

/**
 * Whether a request may be answered. On loopback its `Host` must be loopback too, so that a page of another site that has
 * its name point here is refused; elsewhere it must bear the key.
 */
function allowed(request: IncomingMessage, url: URL, key: string | undefined): boolean {
  if (key === undefined) return LOOPBACK.has((request.headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  const given = url.searchParams.get('key') ?? /(?:^|;\s*)key=([0-9a-f]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  return given.length === key.length && timingSafeEqual(Buffer.from(given), Buffer.from(key))
}

function send(response: ServerResponse, { status, type, body, file }: Answer, more: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': /^text|json/.test(type) ? `${type}; charset=utf-8` : type,
    'content-security-policy': POLICY, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store',
    ...(file === undefined ? {} : { 'content-disposition': `attachment; filename="${file}"` }), ...more,
  })
  if (typeof body === 'string' || body instanceof Uint8Array) response.end(body)
  else Readable.from(body).pipe(response)
}

const page = (routes: Routes, theme: ThemeName | undefined): string =>
  shell({ title: 'AIPerf dashboard', code: 'dashboard', nav: [], body: html`<div id="dashboard"><p class="wait">The dashboard is starting.</p></div>`, data: routes.data, policy: POLICY, wide: true, footer: '', ...(theme === undefined ? {} : { theme }) })
