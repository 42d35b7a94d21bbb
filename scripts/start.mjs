// `npm start`: set up, then profile the embedded mock server, which runs in a process of its own.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { root } from './packages.mjs'
import { run } from './run.mjs'
import { setUp } from './setup.mjs'

const built = await setUp()
if (built !== 0) process.exit(built)

const aiperf = join(root, 'packages/cli/bin/run.js')
// First token after 40 ms, then one every 5 ms, both with some spread: what a small model on one GPU looks like. It would count
// four characters of a prompt as a token, which the verdict would point out.
const server = spawn(process.execPath, [aiperf, 'mock-server', '--port', '0', '--ttft-ms', '40', '--ttft-stddev-ms', '8', '--itl-ms', '5', '--itl-stddev-ms', '1', '--usage', 'never'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const stop = () => server.kill()
process.once('exit', stop)

const url = await new Promise((resolve, reject) => {
  createInterface({ input: server.stdout }).once('line', (line) => resolve(JSON.parse(line).url))
  server.once('exit', (code) => reject(new Error(`The mock server ended with code ${code} before it listened.`)))
}).catch((error) => {
  console.error(error.message)
  process.exit(1)
})
console.error(`Mock server on ${url}. Streaming chat, 16 at a time:`)
// Ctrl-C reaches the whole group: the profile ends by itself and writes its files, so wait for it.
process.on('SIGINT', () => {})
const code = await run(process.execPath, [
  aiperf, 'profile', '--model', 'mock-model', '--url', url, '--endpoint-type', 'chat', '--streaming', '--tokenizer', 'builtin',
  '--isl', '200', '--osl', '50', '--concurrency', '16', '--request-count', '400', '--warmup-request-count', '16', '--random-seed', '1',
])
stop()
process.exit(code)
