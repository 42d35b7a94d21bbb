import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { batchFromRows, type RowFacts } from '../evaluate/index.js'
import { createView, JOURNAL, readJournal } from './index.js'
import { JournalWriter } from './write.js'

const rows: RowFacts[] = [
  { dispatchedNs: 1, tokenNs: [2, 3.5], tokenCounts: [1, 4], finishReason: 'stop', fields: { steps: 3, histogram: [1, 2] } },
  { dispatchedNs: 2, finishReason: 'stop' },
  { dispatchedNs: 3, finishReason: 'länge 漢' },
  { dispatchedNs: 4, outcome: 'http_error', error: { code: 503, type: 'é', message: '"quoted"\n', category: 'http_error' } },
  { dispatchedNs: 5, finishReason: 'stop' },
  ...Array.from({ length: 9 }, (_, i): RowFacts => ({ dispatchedNs: 6 + i })),
]

/** What the journal holds after these batches were appended. */
async function kept(batches: readonly (readonly RowFacts[])[]): Promise<RowFacts[]> {
  const directory = mkdtempSync(join(tmpdir(), 'aiperf-journal-'))
  try {
    mkdirSync(join(directory, JOURNAL))
    const writer = new JournalWriter(join(directory, JOURNAL, 'records-0.arrows'))
    for (const batch of batches) writer.append(batchFromRows(batch))
    writer.close()
    const view = createView()
    const found: RowFacts[] = []
    for await (const batch of readJournal(directory)) {
      view.batch = batch
      for (view.row = 0; view.row < batch.rows; view.row++) {
        const { tokenNs, tokenCounts, finishReason, error, outcomeName, dispatchedNs } = view
        const fields = batch.fields(view.row)
        found.push({
          dispatchedNs,
          ...(tokenNs.length > 0 ? { tokenNs: [...tokenNs] } : {}), ...(tokenCounts.length > 0 ? { tokenCounts: [...tokenCounts] } : {}),
          ...(finishReason === '' ? {} : { finishReason }), ...(error ? { error } : {}), ...(fields ? { fields } : {}), ...(outcomeName === 'done' ? {} : { outcome: outcomeName }),
        })
      }
    }
    return found
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

it('gives back what was appended, texts of any characters and their absence too', async () => {
  expect(await kept([rows])).toEqual(rows)
  expect(await kept([rows.slice(0, 1), rows.slice(1, 6), rows.slice(6)])).toEqual(rows)
  expect(await kept([rows.slice(0, 2), rows.slice(5)])).toEqual([...rows.slice(0, 2), ...rows.slice(5)])
})
