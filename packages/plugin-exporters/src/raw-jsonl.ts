import { defineExporter, redactHeader, type RawExchange, type RecordView, type RunResult } from '@aiperf/core'
import { bodyAsJson } from './bodies/json-body.js'
import { writeResponses } from './bodies/responses.js'
import { ByteText } from './format/byte-text.js'
import { jsonText } from './format/json-text.js'
import { ByOrdinal } from './records/by-ordinal.js'
import { errorOf, writeError } from './records/error.js'
import { MetadataWriter, startOf } from './records/metadata.js'

const CHUNK_BYTES = 256 * 1024

/** What proves that the file is whole. */
interface Counts {
  records: number
  with_exchange: number
  without_exchange: number
  complete: boolean
}

/**
 * `profile_export_raw.jsonl`: one line per request with all that was sent and received (`--export-level raw`), in order
 * of `ordinal`, and `profile_export_raw_counts.json`, which tells whether any is missing.
 */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      if (run.output.level !== 'raw') return
      const counts: Counts = { records: 0, with_exchange: 0, without_exchange: 0, complete: false }
      await dir.stream(dir.named('profile_export_raw.jsonl', '_raw.jsonl'), lines(run, counts))
      counts.complete = run.manifest.complete && counts.without_exchange === 0
      await dir.write(dir.named('profile_export_raw_counts.json', '_raw_counts.json'), `${jsonText({ ...counts })}\n`)
    },
  }),
})

async function* lines(run: RunResult, counts: Counts): AsyncGenerator<Uint8Array> {
  const metadata = new MetadataWriter(run)
  const text = new ByteText(CHUNK_BYTES)
  const exchanges = new ByOrdinal(run.raw())
  try {
    for await (const { record } of run.records()) {
      const exchange = await exchanges.take(record.ordinal)
      counts.records++
      if (exchange !== undefined) counts.with_exchange++
      else counts.without_exchange++
      writeLine(text, record, exchange, metadata)
      if (text.length >= CHUNK_BYTES) yield text.take()
    }
  } finally {
    await exchanges.close()
  }
  if (text.length > 0) yield text.take()
}

function writeLine(text: ByteText, record: RecordView, exchange: RawExchange | undefined, metadata: MetadataWriter): void {
  text.ascii('{"metadata":')
  metadata.write(text, record)
  const startNs = startOf(record)
  if (!Number.isNaN(startNs)) {
    text.ascii(',"start_perf_ns":')
    text.integer(Math.round(startNs))
  }
  if (exchange !== undefined) {
    text.ascii(',"request_headers":')
    text.json(JSON.stringify(redacted(exchange.requestHeaders)))
    if (exchange.payload.length > 0) {
      text.ascii(',"payload":')
      text.json(bodyAsJson(exchange.payload))
    }
  }
  if (record.status > 0) {
    text.ascii(',"status":')
    text.integer(record.status)
  }
  if (exchange !== undefined) {
    text.ascii(',"response_headers":')
    text.json(JSON.stringify(redacted(exchange.responseHeaders)))
  }
  text.ascii(',"responses":')
  if (exchange === undefined) text.ascii('[],"exchange_missing":true')
  else writeResponses(text, exchange, record.streamed === 1)
  const error = errorOf(record)
  if (error !== undefined) {
    text.ascii(',"error":')
    writeError(text, error)
  }
  text.ascii('}\n')
}

const redacted = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value)]))
