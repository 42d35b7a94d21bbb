export { createView, type FactBatch, type FactColumns, type MovingView } from './batch.js'
