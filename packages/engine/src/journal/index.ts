export type { FactBatch, FactColumns } from './batch.js'
export { createView, type MovingView } from './view.js'
export { readJournal, JOURNAL, type JournalState } from './read.js'
