// Runs a model (JSON file) in a process of its own, so that a test can kill it. Prints "started" with the first request.
import { readFileSync } from 'node:fs'
import { runBenchmark } from '@aiperf/engine'

const { model, index } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const ui = { update: (s) => { if (s.completed > 0) console.log(`completed ${s.completed}`) }, log: () => {}, close: async () => {} }
const outcome = await runBenchmark(model, {
  index, ui, explicit: {}, command: 'aiperf profile', interrupt: new AbortController().signal,
  console: { columns: 120, color: false, verbose: false, output: 'text' }, print: () => {},
})
console.log(`exit ${outcome.exitCode} ${outcome.failures.map((f) => f.code).join(' ')}`)
process.exit(outcome.exitCode)
