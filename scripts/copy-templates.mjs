// Before the program is packed: the templates of `aiperf plugins create` come with it. `--remove` afterwards.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

const target = join(root, 'packages/cli/templates')
rmSync(target, { recursive: true, force: true })
if (!process.argv.includes('--remove')) cpSync(join(root, 'templates'), target, { recursive: true, filter: (path) => !/node_modules|[\\/]dist$/.test(path) })
