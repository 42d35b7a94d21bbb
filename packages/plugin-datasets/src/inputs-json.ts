import { isJsonObject, type Session } from '@aiperf/core'
import { shown } from './rows/rowReader.js'
import { SessionIds } from './rows/sessionIds.js'
import { readJsonDocument } from './tables/jsonDocument.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

/** An inputs.json as the program writes it: the payloads of every session, sent as they are. */
export default defineRecordedLoader({
  create() {
    return {
      detect: (head) => head.type === 'file' && /\.json(\.gz|\.zst)?$/i.test(head.name) && /"payloads"\s*:/.test(Buffer.from(head.bytes).toString('latin1')),
      async *load(source, report) {
        const document = await readJsonDocument(source)
        const data = isJsonObject(document.value) ? document.value['data'] : undefined
        // Only the whole file is known to be at fault, so line 1 stands for it.
        const at = { file: document.file, line: 1 }
        if (!Array.isArray(data) || data.length === 0) return report.bad(at, `data: expected a list of sessions, got ${shown(data)}`)
        const ids = new SessionIds()
        for (const [index, entry] of data.entries()) {
          const name = `data[${index}]`
          const id = isJsonObject(entry) ? entry['session_id'] : undefined
          const payloads = isJsonObject(entry) ? entry['payloads'] : undefined
          if (typeof id !== 'string' || id === '') report.bad(at, `${name}.session_id: expected a text that is not empty, got ${shown(id)}`)
          else if (!Array.isArray(payloads) || payloads.length === 0 || !payloads.every(isJsonObject)) report.bad(at, `${name}.payloads: expected at least one request body, got ${shown(payloads)}`)
          else if (!ids.take(id)) report.bad(at, `${name}.session_id: "${id}" was there before, expected unique ids`)
          else yield { id, turns: payloads.map((rawPayload) => ({ rawPayload })) } satisfies Session
        }
      },
    }
  },
})
