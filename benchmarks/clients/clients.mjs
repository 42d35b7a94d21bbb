// The programs that are measured, as command lines of one and the same load.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../packages/cli/bin/run.js')

/**
 * A load: `{ url, concurrency, requests, stream, folder }`, or with `rate` (requests/s) and `arrivals` (`constant`, `poisson`)
 * in place of a concurrency, and `warmup` (requests) before it. `folder`: where results go.
 */
function profile(command, load, own = []) {
  const pace = load.rate === undefined ? ['--concurrency', load.concurrency] : ['--request-rate', load.rate, '--arrival-pattern', load.arrivals]
  if (load.warmup) pace.push('--warmup-request-count', load.warmup, '--warmup-concurrency', 32)
  return [
    ...command, 'profile', '--model', 'm', '--url', load.url, '--endpoint-type', 'chat', ...(load.stream ? ['--streaming'] : []), '--tokenizer', 'builtin',
    ...pace, '--request-count', load.requests, '--isl', '100', '--num-dataset-entries', '100', '--random-seed', load.seed ?? 1, '--artifact-dir', load.folder,
    '--ui-type', 'none', ...own,
  ].map(String)
}

const ours = (node) => (load) => profile([node, process.env.AIPERF ?? program], load, ['--no-calibrate'])

/** This program; `AIPERF` is the path of another build of it. */
export const aiperf = { name: 'aiperf', command: ours(process.execPath) }

/** This program on other releases of Node: `--node PATH`, any number of times. */
export function otherNodes({ node = [] }) {
  return node.map((path) => ({ name: `aiperf on Node ${execFileSync(path, ['--version']).toString().trim().slice(1)}`, command: ours(path) }))
}

const loop = join(import.meta.dirname, 'undici-loop.mjs')
const undici = (name, flags) => ({
  name,
  command: ({ url, concurrency, requests, stream }) => [process.execPath, loop, url, String(concurrency), String(requests), ...(stream ? ['--stream', ...flags] : [])],
})
/** The bare loop that cuts and parses events, and the one that only takes bytes. */
export const bareLoop = undici('undici loop', ['--parse'])
export const bareLoopUnparsed = undici('undici loop, unparsed', [])

/**
 * Clients that are there only on some machines: `--reference COMMAND` (the reference implementation: takes the same flags)
 * and `--client 'NAME=COMMAND'` with {url}, {concurrency}, {requests} and {stream} (true or false) in it, any number of
 * times.
 */
export function otherClients({ reference, client = [] }) {
  const words = (text) => text.trim().split(/\s+/)
  const list = reference ? [{ name: 'reference', command: (load) => profile(words(reference), load) }] : []
  for (const text of client) {
    const [, name, command] = /^([^=]+)=(.+)$/.exec(text) ?? []
    if (!command) throw new Error(`--client ${text}: expected NAME=COMMAND`)
    list.push({ name, command: (load) => words(command).map((word) => word.replace(/\{(\w+)\}/g, (all, key) => String(load[key] ?? all))) })
  }
  return list
}
