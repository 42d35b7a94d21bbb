import { defineDatasetLoader, type OptionsSchema } from '@aiperf/core'
import { CATALOG } from './public/catalog.js'
import { columnsOf, mapRow } from './public/mapRow.js'
import { publicRows } from './public/publicRows.js'

interface Options {
  subset?: string
  revision?: string
  prompts?: { osl?: { mean?: number } }
}

/** Sets of the Hugging Face hub that are known by name; see `public/catalog.ts`. */
export default defineDatasetLoader<OptionsSchema<Options>>({
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
          const maxTokens = options.prompts?.osl?.mean
          if (maxTokens !== undefined) for (const turn of turns) turn.maxTokens = Math.max(1, Math.round(maxTokens))
          yield { id: `session_${String(index++).padStart(6, '0')}`, turns }
          if (index >= limit) return
        }
      },
    }
  },
})
