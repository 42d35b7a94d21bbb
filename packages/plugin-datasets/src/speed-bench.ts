import { looksLikeQuestion, readQuestion } from './rows/questionRow.js'
import { SessionIds } from './rows/sessionIds.js'
import { datasetRows } from './tables/datasetRows.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

const PREFIX = 'speed_bench_'

/** Category that a loader name selects; undefined for the names of whole files. */
export function categoryOf(name: string): string | undefined {
  const rest = name.replace(PREFIX, '')
  const throughput = /^throughput_\d+k(?:_(.+))?$/.exec(rest)
  return throughput ? throughput[1] : rest === 'qualitative' ? undefined : rest
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s-]+/g, '_')

/** SPEED-Bench files: JSON lines of a category and messages each; the user's messages become the turns of a conversation. */
export default defineRecordedLoader({
  create({ name }) {
    const category = categoryOf(name)
    return {
      detect: (head) => category === undefined && head.type === 'file' && head.name.replace(/\.jsonl(\.gz|\.zst)?$/, '') === name.replace(PREFIX, '') && looksLikeQuestion(head.first),
      async *load(source, report) {
        const ids = new SessionIds()
        let index = 0
        for await (const from of datasetRows(source, report)) {
          const read = readQuestion(from, report)
          if (!read) continue
          if (category !== undefined && plain(read.category) !== category) report.skipped(`of another category than ${category}`)
          else yield { ...read.session, id: ids.take(read.session.id) ? read.session.id : ids.next(index++) }
        }
      },
    }
  },
})
