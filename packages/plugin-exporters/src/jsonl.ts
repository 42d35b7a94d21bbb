import { defineExporter, type RunResult } from '@aiperf/core'
import { ByteText } from './format/byte-text.js'
import { RecordLineWriter } from './records/line.js'

const CHUNK_BYTES = 256 * 1024

async function* lines(run: RunResult): AsyncGenerator<Uint8Array> {
  const writer = new RecordLineWriter(run)
  const text = new ByteText(CHUNK_BYTES + 64 * 1024)
  for await (const { record, value } of run.records()) {
    writer.write(text, record, value)
    if (text.length >= CHUNK_BYTES) yield text.take()
  }
  if (text.length > 0) yield text.take()
}

/** `profile_export.jsonl`: one line per request, warm-up and failures included, in order of `ordinal`. */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      if (run.output.level === 'summary') return
      await dir.stream(dir.named('profile_export.jsonl', '.jsonl'), lines(run))
    },
  }),
})
