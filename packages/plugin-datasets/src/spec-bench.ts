import { specBenchFile } from './public/specBench.js'
import { defineRecordedLoader, type OutputLengthSettings } from './rows/recordedLoader.js'
import { shown } from './rows/rowReader.js'

/** The questions of Spec-Bench: the first turn of each. */
export default defineRecordedLoader<OutputLengthSettings & { revision?: string }>({
  create({ options }) {
    return {
      async *load(source, report) {
        const path = await specBenchFile(options.revision ?? 'main', report)
        let index = 0
        for await (const from of source.rows(path)) {
          const { turns } = from.row
          const first = Array.isArray(turns) ? turns[0] : undefined
          if (typeof first !== 'string' || first.trim() === '') report.bad(from, `turns: expected a list of texts, got ${shown(turns)}`)
          else yield { id: `session_${String(index++).padStart(6, '0')}`, turns: [{ texts: [{ contents: [first] }]}] }
        }
      },
    }
  },
})
