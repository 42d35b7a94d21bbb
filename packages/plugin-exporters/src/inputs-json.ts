import { defineExporter, type RunResult } from '@aiperf/core'
import { bodyAsJson } from './bodies/json-body.js'

async function* content(run: RunResult): AsyncGenerator<string> {
  yield '{\n  "data": ['
  let separator = ''
  for await (const { sessionId, payloads } of run.inputs()) {
    const bodies = payloads.map((payload) => `\n        ${bodyAsJson(payload)}`)
    yield `${separator}\n    {\n      "session_id": ${JSON.stringify(sessionId)},\n      "payloads": [${bodies.join(',')}${bodies.length > 0 ? '\n      ' : ''}]\n    }`
    separator = ','
  }
  yield separator === '' ? ']\n}\n' : '\n  ]\n}\n'
}

/** `inputs.json`: per conversation of the dataset the request bodies as sent; it can be replayed as a dataset. */
export default defineExporter({
  create: () => ({
    async write(run, dir) {
      await dir.stream('inputs.json', content(run))
    },
  }),
})
