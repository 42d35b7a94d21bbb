import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MANIFEST_FILE } from '../host/package-reader.js'

const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether a package's manifest is missing, or older than package.json, the built modules, or this builder. */
export function isStale(directory: string): boolean {
  const manifest = modified(join(directory, MANIFEST_FILE))
  if (manifest === 0) return true
  const dist = join(directory, 'dist')
  const built = modified(dist) === 0 ? [] : readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js')).map((name) => join(dist, name))
  const builder = readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name))
  return [join(directory, 'package.json'), ...builder, ...built].some((path) => modified(path) > manifest)
}
