import { statSync } from 'node:fs'
import { join, parse } from 'node:path'
import { isJsonObject, type Json, type JsonObject, type LoadReport, type Source } from '@aiperf/core'
import { shown } from './rows/rowReader.js'
import { SessionIds } from './rows/sessionIds.js'
import { looksLikeQuestion } from './rows/questionRow.js'
import { firstRows, lineFiles } from './tables/folderRows.js'
import { looksLikeMooncake } from './trace/mooncakeRow.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

/**
 * Request bodies that are sent as they are: JSON lines of one conversation each, or a folder of files with one
 * conversation each.
 */
export default defineRecordedLoader({
  create() {
    return {
      detect(head) {
        const rows = head.type === 'directory' ? firstRows(head.path) : [head.first]
        return rows.length > 0 && rows.every(looksLikePayload)
      },
      async *load(source, report) {
        report.warn('raw_payload: bodies are sent as they are; the model, streaming and extra inputs of the command line do not change them')
        const ids = new SessionIds()
        if (source.path === undefined || !statSync(source.path).isDirectory()) {
          let index = 0
          for await (const { row } of payloads(source, report)) yield { id: ids.next(index++), turns: [{ rawPayload: row }] }
          return
        }
        for (const name of lineFiles(source.path)) {
          const turns = []
          for await (const { row } of payloads(source, report, join(source.path, name))) turns.push({ rawPayload: row })
          if (turns.length === 0) report.skipped('a file without request bodies')
          else yield { id: parse(name.replace(/\.(gz|zst)$/, '')).name, turns }
        }
      },
    }
  },
})

/** A body with messages that is no row of another format that has messages too. */
function looksLikePayload(row: Json | undefined): boolean {
  if (!isJsonObject(row) || !Array.isArray(row['messages'])) return false
  return !('conversation_id' in row) && !Array.isArray(row['data']) && !looksLikeQuestion(row) && !looksLikeMooncake(row)
}

async function* payloads(source: Source, report: LoadReport, path?: string): AsyncGenerator<{ row: JsonObject }> {
  for await (const from of path === undefined ? source.rows() : source.rows(path)) {
    if (Array.isArray(from.row['messages'])) yield from
    else report.bad(from, `messages: expected a list of messages, got ${shown(from.row['messages'])}`)
  }
}
