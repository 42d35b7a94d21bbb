// `pnpm check`: everything a change must keep besides the tests.
import { apiReport } from './api-report.mjs'
import { checkPacked } from './check-packed.mjs'
import { checkStructure } from './structure.mjs'
import { tool } from './run.mjs'
import { setUp } from './setup.mjs'

const built = await setUp()
const steps = [
  ['set-up and build', () => built],
  ['lint and import rules', () => tool('oxlint', ['--deny-warnings'])],
  ['types, tests included', () => tool('typescript', ['-p', 'tsconfig.json'], {}, 'tsc')],
  ['packages, names and manifests', () => checkStructure()],
  ['the public types of @aiperf/core are those that were looked at', () => apiReport()],
  // Packing takes its time: by hand it is `node scripts/check-packed.mjs`.
  ...(process.env.CI ? [['packages as they would be published', () => checkPacked()]] : []),
]
let failed = 0
for (const [title, step] of steps) {
  const code = await step()
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${title}`)
  if (code !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)
