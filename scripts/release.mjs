// Publishes what `changeset version` has numbered, after everything that CI checks, and tags it. Run by the release job alone,
// where the registry's trust in it gives each package its provenance.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPacked } from './check-packed.mjs'
import { compatibility } from './compatibility.mjs'
import { root } from './packages.mjs'
import { npx, run, tool } from './run.mjs'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const steps = [
  () => run(process.execPath, [join(root, 'scripts/check.mjs')]),
  checkPacked,
  compatibility,
  () => npx(['--yes', packageManager, '-r', '--filter', './packages/*', 'publish', '--provenance', '--access', 'public']),
  () => tool('@changesets/cli', ['tag'], {}, 'changeset'),
]
for (const step of steps) {
  const code = await step()
  if (code !== 0) process.exit(code)
}
