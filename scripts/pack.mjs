// Packs packages as they would be published: `workspace:` ranges replaced, only what "files" names. Prints the folder.
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root } from './packages.mjs'
import { npx } from './run.mjs'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Packs the packages that pnpm filters choose into a folder that is emptied first; the paths of the tarballs. */
export async function pack(destination, filters = ['./packages/*']) {
  rmSync(destination, { recursive: true, force: true })
  mkdirSync(destination, { recursive: true })
  const code = await npx(['--yes', packageManager, '--silent', '-r', ...filters.flatMap((filter) => ['--filter', filter]), 'pack', '--pack-destination', destination], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (code !== 0) throw new Error(`packing ended with code ${code}`)
  return readdirSync(destination).filter((name) => name.endsWith('.tgz')).map((name) => join(destination, name))
}

if (isMain(import.meta)) {
  const destination = join(root, 'artifacts/packed')
  await pack(destination, process.argv.slice(2).length > 0 ? process.argv.slice(2) : undefined)
  console.log(destination)
}
