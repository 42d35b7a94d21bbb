import type { RecordView, RunManifest } from '@aiperf/core'
import { createRowValues, type Evaluation, type KeptBatch, type RowValues } from '../evaluate/index.js'
import { readJournal } from '../journal/read.js'
import { createView } from '../journal/view.js'

/** Batches held while an earlier request is outstanding; beyond this the earliest one at hand goes first. */
const HELD = 64

interface Held extends KeptBatch {
  /** Rows by ascending ordinal, and how many of them went out. */
  readonly order: Uint32Array
  at: number
  /** Called when every row went out. */
  release?(): void
}

/**
 * Records in order of dispatch. The journal is in order of completion: batches are held until their rows' turn comes,
 * at most `HELD` of them, so that one very long request costs order, not memory.
 */
export async function* orderedRecords(
  directory: string,
  evaluation: Evaluation,
  manifest: RunManifest,
): AsyncGenerator<{ record: RecordView; value(tag: string): number | Float64Array | undefined }> {
  const view = createView()
  const held: Held[] = []
  let current: Held
  const item = { record: view as RecordView, value: (tag: string) => current.values.value(tag, view.row) }
  const next = (): Held | undefined => {
    let best: Held | undefined
    for (const h of held) if (best === undefined || ordinal(h) < ordinal(best)) best = h
    return best
  }
  let expected = 0
  function* emit(until: number): Generator<typeof item> {
    for (let h = next(); h && (ordinal(h) <= expected || held.length > until); h = next()) {
      current = h
      view.batch = h.batch
      view.row = h.order[h.at]!
      expected = view.ordinal + 1
      h.at++
      if (h.at === h.order.length) {
        held.splice(held.indexOf(h), 1)
        h.release?.()
      }
      yield item
    }
  }
  for await (const batch of evaluation.kept ?? readAgain(directory, evaluation, manifest)) {
    const ordinals = batch.batch.columns.ordinal
    const order = Uint32Array.from({ length: batch.batch.rows }, (_, i) => i).sort((a, b) => ordinals[a]! - ordinals[b]!)
    held.push({ ...batch, order, at: 0 })
    yield* emit(HELD)
  }
  yield* emit(0)
}

/** The journal with the values of its records, for runs that are not kept in memory. */
async function* readAgain(directory: string, evaluation: Evaluation, manifest: RunManifest): AsyncGenerator<KeptBatch & Pick<Held, 'release'>> {
  const spare: RowValues[] = []
  for await (const batch of readJournal(directory)) {
    const values = spare.pop() ?? createRowValues(evaluation.metrics, evaluation.context, manifest)
    values.load(batch)
    yield { batch, values, release: () => void spare.push(values) }
  }
}

function ordinal(h: Held): number {
  return h.batch.columns.ordinal[h.order[h.at]!]!
}
