import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { html, json, Markup } from './markup.js'

const ASSETS = fileURLToPath(new URL('../../dist/assets', import.meta.url))
const asset = (name: string): string => readFileSync(join(ASSETS, name), 'utf8')
const cached = new Map<string, string>()
const read = (name: string): string => {
  let text = cached.get(name)
  if (text === undefined) cached.set(name, (text = asset(name)))
  return text
}

/** Reads what every page holds, once. */
export const loadAssets = (): void => ['page.css', 'main.licenses.txt', 'main.js.gz.b64'].forEach(read)

export interface PageParts {
  title: string
  /** Name of the bundle in `dist/assets`. */
  code: 'main' | 'dashboard' | 'lanes' | 'messages'
  nav: readonly { id: string; text: string }[]
  body: Markup
  data: unknown
  theme?: 'light' | 'dark'
  footer: string
  /** In place of one that forbids everything. */
  policy?: string
  /** The body takes the whole width. */
  wide?: boolean
}

/** Unpacks what lies packed in the page, as text, and runs the page's code. */
const START = `(async()=>{const unpack=async e=>{const b=atob(e.textContent),u=Uint8Array.from(b,c=>c.charCodeAt(0));return new Response(new Blob([u]).stream().pipeThrough(new DecompressionStream('gzip'))).text()},d=document.getElementById('data');if('packed'in d.dataset)d.textContent=await unpack(d);const s=document.createElement('script');s.textContent=await unpack(document.getElementById('code'));document.body.append(s)})().catch(()=>document.documentElement.dataset.failed='')`

/** Longer data are packed. */
const MOST_PLAIN = 250_000

function dataScript(data: unknown): Markup {
  const text = json(data)
  if (text.html.length <= MOST_PLAIN) return html`<script type="application/json" id="data">${text}</script>`
  return html`<script type="text/plain" id="data" data-packed>${new Markup(gzipSync(JSON.stringify(data)).toString('base64'))}</script>`
}

/** The page may load nothing and send nothing: what it needs is in it. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"

/** Licences of what the code contains, where a reader of the file finds them. */
function notices(code: PageParts['code']): Markup {
  const text = read(`${code}.licenses.txt`)
  return new Markup(text === '' ? '' : `<!--\n${text.replaceAll('--', '- -')}\n-->`)
}

/** A whole page in one file. */
export function shell({ title, code, nav, body, data, theme, footer, policy = POLICY, wide }: PageParts): string {
  const document = html`<!doctype html>
<html lang="en"${theme === undefined ? '' : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy.replace(/; frame-ancestors [^;]*/, '')}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(read('page.css'))}</style>
${notices(code)}
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
<header class="bar"><span class="brand">AIPerf</span><nav aria-label="Sections">${nav.map(({ id, text }) => html`<a href="#${id}">${text}</a>`)}</nav><button type="button" id="theme">Theme</button></header>
<main id="main"${wide === true ? html` class="wide"` : ''}>
${body}
</main>
<footer>${footer}</footer>
${dataScript(data)}
<script type="text/plain" id="code">${new Markup(read(`${code}.js.gz.b64`))}</script>
<script>${new Markup(START)}</script>
</body>
</html>
`
  return document.html
}
