import { CATALOG } from './public/catalog.js'
import { columnsOf, mapRow } from './public/mapRow.js'
import { publicRows } from './public/publicRows.js'
import { defineRecordedLoader, type OutputLengthSettings } from './rows/recordedLoader.js'

interface Options extends OutputLengthSettings {
  subset?: string
  revision?: string
}

/** Sets of the Hugging Face hub that are known by name; see `public/catalog.ts`. */
export default defineRecordedLoader<Options>({
  create({ name, options, entries }) {
    const known = CATALOG[name]!
    const set = { ...known, ...(options.subset === undefined ? {} : { subset: options.subset }) }
    return {
      async *load(source, report) {
        let index = 0
        const limit = set.streaming ? entries : Infinity
        for await (const { row } of publicRows(set, options.revision ?? 'main', columnsOf(set.mapping), source, report)) {
          const turns = await mapRow(row, set.mapping)
          if (typeof turns === 'string') {
            report.skipped(turns)
            continue
          }
          yield { id: `session_${String(index++).padStart(6, '0')}`, turns }
          if (index >= limit) return
        }
      },
    }
  },
})
