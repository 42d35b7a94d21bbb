// `node recorder.mjs RUN_DIRECTORY ANSWERS COUNT`: fills the journal of a run's directory with so many records, by the engine's
// own recorder, and prints what that cost. ANSWERS is a file with the reads of each of some answers. Uses the engine's modules,
// not its public entry.
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

const [directory, answersFile, countText] = process.argv.slice(2)
const count = Number(countText)
const answers = JSON.parse(readFileSync(answersFile, 'utf8')).map((reads) => reads.map((read) => Buffer.from(read)))
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
const head = Buffer.from('text/event-stream')
const facts = new Float64Array(END_FIELDS.length)
const set = (values) => Object.entries(values).forEach(([name, value]) => (facts[END_INDEX[name]] = value))
facts.fill(Number.NaN)
set({ phase: 0, turn: 0, worker: 0, url: 0, model: 0, connection: 1, reused: 1, retried: 0, bytesSent: 500, stop: 0 })

// A request every 70 µs, 0.5 to 1.5 ms from read to read.
let seed = 1
const gapNs = () => 500_000 + ((seed = (seed * 48_271) % 2_147_483_647) % 1_000_000)
let ns = phases[0].startNs
let endNs = ns
for (let i = 0; i < count; i++) {
  const startNs = (ns += 70_000)
  const firstNs = startNs + gapNs()
  let at = firstNs
  arena.bytes(ENTRY.head, i, at, 200, head)
  for (const [k, read] of answers[i % answers.length].entries()) {
    if (k > 0) at += gapNs()
    arena.bytes(ENTRY.bytes, i, at, 0, read)
  }
  set({ session: i, conversation: i % 100, dueNs: startNs, claimedNs: startNs, dispatchedNs: startNs + 1000, writtenNs: startNs + 20_000, assignedNs: startNs + 1500, firstByteNs: firstNs })
  arena.numbers(ENTRY.end, i, at, 0, facts, undefined)
  endNs = Math.max(endNs, at)
}
arena.flush()
const before = process.cpuUsage()
recorder.flush()
writer.close()
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ cpuSeconds: (cpuMicros + user + system) / 1e6, endNs }))

function store() {
  const made = new StoreWriter()
  for (let i = 0; i < 100; i++) {
    made.addSession(`session_${i}`, 1)
    made.setTurn(made.addTurn(), 'inputTokens', 100)
  }
  return new Store(made.finish({ method: 'POST', contentType: 'application/json', accept: 'text/event-stream', headers: [] }))
}
