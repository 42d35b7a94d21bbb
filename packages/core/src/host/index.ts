export { DatasetReport, openSource, readBytes, readHead, type LoadCounts } from './source.js'
