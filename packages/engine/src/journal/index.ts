export { createView, type FactBatch, type FactColumns, type MovingView } from './batch.js'
export { readJournal, JOURNAL, type JournalState } from './read.js'
