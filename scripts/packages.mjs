// The packages of the workspace, as they are on disk.
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Every folder of `packages/` that holds a package.json: `{ folder, directory, manifest }`. */
export const workspacePackages = () => packagesIn('packages')

/** The packages of vendors that do not exist: built and tested, never published. */
export const examplePackages = () => packagesIn('examples')

function packagesIn(place) {
  return readdirSync(join(root, place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, place, entry.name, 'package.json')))
    .map((entry) => {
      const directory = join(root, place, entry.name)
      return { folder: entry.name, directory, manifest: JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) }
    })
}

/** Whether this module is the program that was started: `isMain(import.meta)`. */
export function isMain(meta) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === meta.filename
}
