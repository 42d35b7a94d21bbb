// `node recorder.mjs RUN_DIRECTORY COUNT CHUNKS`: fills the journal of a run's directory with so many records, by the engine's
// own recorder, and prints what that cost. Uses the engine's modules, not its public entry.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '../../packages')
const engine = (path) => import(join(packages, 'engine/dist', path))
const { buildIndex, createHost } = await import(join(packages, 'core/dist/host/index.js'))
const { ArenaWriter, END_FIELDS, END_INDEX, ENTRY } = await engine('shared/arena.js')
const { Recorder } = await engine('recorder/recorder.js')
const { JournalWriter } = await engine('journal/write.js')
const { StoreWriter } = await engine('store/writer.js')
const { Store } = await engine('store/reader.js')
const { endpointContext } = await engine('control/endpoint.js')
const { PHASE_WORDS, sharedWords } = await engine('shared/words.js')

const [directory, countText, chunksText] = process.argv.slice(2)
const count = Number(countText)
const chunks = Number(chunksText)
const { internal, phases } = JSON.parse(readFileSync(join(directory, 'journal/manifest.json'), 'utf8'))
const host = createHost(buildIndex(['plugin-endpoints', 'plugin-datasets'].map((name) => ({ directory: join(packages, name), origin: 'bundled' }))))
const endpoint = await host.activate('endpoint', 'chat', endpointContext(internal.model))
const tokenizer = await host.activate('tokenizer', 'builtin', { name: 'builtin', options: {} })

const writer = new JournalWriter(join(directory, 'journal/records-0.arrows'))
const recorder = new Recorder({
  id: 0, endpoint, store: store(), tokenizer, streaming: true, useServerTokenCount: false, perChunkUsage: false,
  phaseWords: [sharedWords(PHASE_WORDS)], flush: (columns) => writer.append(columns),
})

// Recording alone is counted, not the filling of arenas.
let cpuMicros = 0
const arena = new ArenaWriter((buffer, used) => {
  const before = process.cpuUsage()
  recorder.read(buffer, used)
  const { user, system } = process.cpuUsage(before)
  cpuMicros += user + system
  arena.recycle(buffer)
})
const event = (delta, finish) => `data: ${JSON.stringify({ id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const token = Buffer.from(event({ content: ' token' }, null))
const last = Buffer.from(`${event({}, 'stop')}data: [DONE]\n\n`)
const head = Buffer.from('text/event-stream')
const facts = new Float64Array(END_FIELDS.length)
const set = (values) => Object.entries(values).forEach(([name, value]) => (facts[END_INDEX[name]] = value))
facts.fill(Number.NaN)
set({ phase: 0, turn: 0, worker: 0, url: 0, model: 0, connection: 1, reused: 1, retried: 0, bytesSent: 500, stop: 0 })

// 64 at a time, a request every 70 µs, tokens 1 ms apart.
let ns = phases[0].startNs
for (let i = 0; i < count; i++) {
  const startNs = (ns += 70_000)
  arena.bytes(ENTRY.head, i, startNs + 1e6, 200, head)
  for (let k = 0; k < chunks; k++) arena.bytes(ENTRY.bytes, i, startNs + (k + 1) * 1e6, 0, token)
  arena.bytes(ENTRY.bytes, i, startNs + chunks * 1e6, 0, last)
  set({ session: i, conversation: i % 100, dueNs: startNs, claimedNs: startNs, dispatchedNs: startNs + 1000, writtenNs: startNs + 20_000, assignedNs: startNs + 1500, firstByteNs: startNs + 1e6 })
  arena.numbers(ENTRY.end, i, startNs + chunks * 1e6, 0, facts, undefined)
}
arena.flush()
const before = process.cpuUsage()
recorder.flush()
writer.close()
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ cpuSeconds: (cpuMicros + user + system) / 1e6, endNs: ns + (chunks + 1) * 1e6 }))

function store() {
  const made = new StoreWriter()
  for (let i = 0; i < 100; i++) {
    made.addSession(`session_${i}`, 1)
    made.setTurn(made.addTurn(), 'inputTokens', 100)
  }
  return new Store(made.finish({ method: 'POST', contentType: 'application/json', accept: 'text/event-stream', headers: [] }))
}
