// A million records through a recorder, and from the journal through every exporter.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aiperf } from './clients/clients.mjs'
import { mustRun } from './measure/process.mjs'
import { summary } from './measure/statistics.mjs'
import { startTarget } from './target/start.mjs'

const CHUNKS = 5

export const about = {
  title: 'A million records',
  method: `Streamed answers of ${CHUNKS} chunks each, one read a chunk, are put into arenas as a worker puts them, and given to one recorder: it cuts and decodes
the events, counts tokens with the builtin tokenizer and appends rows to the journal. Then \`aiperf export\` evaluates that journal and writes every default file
(JSONL of every record, CSV, JSON, console). Both on one core. Memory is the greatest resident size.`,
}

export async function measure({ pairs = 1, quick = false }) {
  const count = quick ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-records-'))
  const found = { record: [], recordMb: [], journal: [], exporting: [], exportMb: [], jsonl: [], all: [] }
  try {
    for (let pair = 0; pair < pairs; pair++) {
      await prepare(folder)
      const { stdout, peakMb } = await mustRun([process.execPath, join(import.meta.dirname, 'measure/recorder.mjs'), folder, String(count), String(CHUNKS)])
      const { cpuSeconds, endNs } = JSON.parse(stdout)
      widen(join(folder, 'journal/manifest.json'), count, endNs)
      const exported = await mustRun([...aiperf.command({ url: '' }).slice(0, 2), 'export', folder])
      found.record.push((cpuSeconds * 1e6) / count)
      found.recordMb.push(peakMb)
      found.journal.push(statSync(join(folder, 'journal/records-0.arrows')).size / count)
      found.exporting.push((exported.cpuSeconds * 1e6) / count)
      found.exportMb.push(exported.peakMb)
      found.jsonl.push(statSync(join(folder, 'profile_export.jsonl')).size / count)
      found.all.push(exported.wallMs / 1000)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const load = `${count.toLocaleString('en-US')} records`
  const row = (what, unit, values) => ({ load, what, unit, ...summary(values) })
  return {
    rows: [
      row('recorder, CPU by record', 'µs', found.record),
      row('recorder, memory', 'MB', found.recordMb),
      row('journal, by record', 'bytes', found.journal),
      row('export, CPU by record', 'µs', found.exporting),
      row('export, wall time', 's', found.all),
      row('export, memory', 'MB', found.exportMb),
      row('profile_export.jsonl, by record', 'bytes', found.jsonl),
    ],
  }
}

/** A run's directory, from a real run of a few requests. */
async function prepare(folder) {
  const target = await startTarget({ tokens: CHUNKS })
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
