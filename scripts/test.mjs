// `npm test`: set up, run every test of every package, and say what came of it, counted from the runner's own report.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'
import { tool } from './run.mjs'
import { setUp } from './setup.mjs'

const built = await setUp()
if (built !== 0) console.error('The build failed (see above); the tests run against what was emitted.')
const report = join(root, 'test-report.json')
rmSync(report, { force: true })
const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)]
const code = await tool('vitest', args)

let summary
try {
  summary = JSON.parse(readFileSync(report, 'utf8'))
} catch (error) {
  console.error(`The test runner left no report (${error.message}).`)
  console.log('0 passed, 1 failed, 0 skipped')
  process.exit(code || 1)
}
// A file that could not even be loaded holds no test, and must not pass for none.
const broken = summary.testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((t) => t.status === 'failed'))
for (const file of broken) console.error(`Could not be run: ${file.name}`)
const failed = summary.numFailedTests + broken.length
const skipped = summary.numPendingTests + summary.numTodoTests
console.log(`${summary.numPassedTests} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed > 0 ? 1 : code || built)
