// A million records through a recorder, and from the journal through every exporter; the reference's record processing beside.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { words } from '../packages/mock-server/dist/answer/words.js'
import { aiperf } from './clients/clients.mjs'
import { mustRun } from './measure/process.mjs'
import { ratios, summary } from './measure/statistics.mjs'
import { recordProcessing } from './reference/records.mjs'
import { startTarget } from './target/start.mjs'

/** How many records of how many chunks each program is given: few enough for a minute each. */
export const LOADS = [
  { chunks: 5, ours: 1_000_000, theirs: 50_000 },
  { chunks: 100, ours: 100_000, theirs: 10_000 },
]

export const about = {
  title: 'A million records',
  method: `Streamed answers of 5 or 100 events of one token each, one read an event, every gap between them drawn anew. *aiperf*: they are put into arenas as a
worker puts them, and given to one recorder, which cuts and decodes the events, counts tokens with the builtin tokenizer and appends rows to the journal;
then \`aiperf export\` evaluates that journal and writes every default file (JSONL of every record, CSV, JSON, console). *reference*: the same answers through
its own classes, in one process and without the messages between its services: its reader of event streams, its parser of answers with the
same tokenizer, its metrics of a record, its accumulator, its writer of the JSONL, its summary, CSV and JSON (\`benchmarks/reference\`). It is given fewer
records, and what it takes for one is compared. All on one core; start-up counts for \`aiperf export\` only. Memory is the greatest resident size, *by further
record* the difference to a tenth as many, by record: up to 1,048,576 values of a metric are kept for exact percentiles, 8 bytes each, beyond that a
histogram of fixed size (two million records take as much memory as one).`,
}

export async function measure({ pairs = 1, quick = false, reference, loads = LOADS }) {
  const rows = []
  for (const load of loads) rows.push(...(await measureLoad(load, pairs, quick ? 0.1 : 1, reference)))
  return { rows }
}

async function measureLoad({ chunks, ours, theirs }, pairs, share, reference) {
  const clients = [
    { name: 'aiperf', count: ours * share, process: recordAndExport },
    ...(reference ? [{ name: 'reference', count: theirs * share, process: recordProcessing(reference) }] : []),
  ]
  const found = clients.map(() => [])
  for (let pair = 0; pair < pairs; pair++)
    for (const [i, { count, process }] of clients.entries()) {
      const folder = mkdtempSync(join(tmpdir(), 'aiperf-records-'))
      try {
        const answers = join(folder, 'answers.json')
        writeFileSync(answers, JSON.stringify(makeAnswers(chunks)))
        const few = await process(answers, folder, count / 10)
        const all = await process(answers, folder, count)
        found[i].push({ ...all, growth: ((all.memoryMb - few.memoryMb) * 2 ** 20) / (count * 0.9) })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  const values = (i, of) => found[i].map(of)
  const cpu = clients.map(({ count }, i) => values(i, ({ cpuSeconds }) => (cpuSeconds * 1e6) / count))
  const rows = clients.flatMap(({ name, count }, i) => {
    const row = (what, unit, all) => ({ load: `${count.toLocaleString('en-US')} of ${chunks} chunks`, client: name, what, unit, ...summary(all) })
    return [
      row('CPU by record', 'µs', cpu[i]),
      ...Object.keys(found[i][0].parts ?? {}).map((part) => row(`of it: ${part}`, 'µs', values(i, ({ parts }) => (parts[part] * 1e6) / count))),
      row('records/s', '/s', cpu[i].map((micros) => 1e6 / micros)),
      row('wall time', 's', values(i, ({ wallSeconds }) => wallSeconds)),
      row('memory', 'MB', values(i, ({ memoryMb }) => memoryMb)),
      row('memory by further record', 'bytes', values(i, ({ growth }) => growth)),
      ...Object.keys(found[i][0].bytes ?? {}).map((file) => row(`${file}, by record`, 'bytes', values(i, ({ bytes }) => bytes[file] / count))),
    ]
  })
  return reference ? [...rows, { load: `${chunks} chunks`, client: 'reference', what: 'aiperf / reference: CPU by record', ...ratios(cpu[0], cpu[1]) }] : rows
}

/** Answers as both programs get them: the reads of each, one event in each but the last, which has the rest. */
function makeAnswers(chunks) {
  const event = (delta, finish) => `data: ${JSON.stringify({ id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  return Array.from({ length: 64 }, (_, i) => [
    ...Array.from({ length: chunks }, (_, k) => event({ content: words[(i * chunks + k) % words.length] }, null)),
    `${event({}, 'stop')}data: [DONE]\n\n`,
  ])
}

async function recordAndExport(answers, folder, count) {
  await prepare(folder)
  const { stdout, peakMb, wallMs } = await mustRun([process.execPath, join(import.meta.dirname, 'measure/recorder.mjs'), folder, answers, String(count)])
  const { cpuSeconds, endNs } = JSON.parse(stdout)
  widen(join(folder, 'journal/manifest.json'), count, endNs)
  const exported = await mustRun([...aiperf.command({ url: '' }).slice(0, 2), 'export', folder])
  const size = (name) => statSync(join(folder, name)).size
  return {
    cpuSeconds: cpuSeconds + exported.cpuSeconds,
    parts: { 'recorder': cpuSeconds, 'export': exported.cpuSeconds },
    wallSeconds: (wallMs + exported.wallMs) / 1000,
    memoryMb: Math.max(peakMb, exported.peakMb),
    bytes: { 'journal': size('journal/records-0.arrows'), 'profile_export.jsonl': size('profile_export.jsonl') },
  }
}

/** A run's directory, from a real run of a few requests. */
async function prepare(folder) {
  const target = await startTarget({ tokens: 5 })
  try {
    await mustRun(aiperf.command({ url: target.url, concurrency: 4, requests: 100, stream: true, folder }))
  } finally {
    await target.stop()
  }
}

/** Makes the manifest say that the one phase had so many requests, until then. */
function widen(path, count, endNs) {
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const [phase] = manifest.phases
  phase.endNs = endNs
  for (const name of ['due', 'sent', 'completed', 'sessionsStarted', 'sessionsCompleted']) phase.counts[name] = count
  writeFileSync(path, JSON.stringify(manifest))
}
