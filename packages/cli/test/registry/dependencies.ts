import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Manifest {
  bundleDependencies?: string[]
  bundledDependencies?: string[]
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** What a package brings in its own tarball. */
export const broughtBy = ({ bundleDependencies, bundledDependencies }: Manifest): readonly string[] => bundleDependencies ?? bundledDependencies ?? []

/** Folders of the packages of others that a package needs to run, of all levels, as they are installed here. */
export function dependenciesOf(directory: string, found = new Map<string, string>()): Map<string, string> {
  const real = realpathSync(directory)
  const manifest = JSON.parse(readFileSync(join(real, 'package.json'), 'utf8')) as Manifest
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  for (const name of [...Object.keys(dependencies ?? {}), ...peers]) {
    if (broughtBy(manifest).includes(name)) continue
    const place = placeOf(name, real)
    if (place === undefined || found.has(place)) continue
    if (!name.startsWith('@aiperf/')) found.set(place, name)
    dependenciesOf(place, found)
  }
  return found
}

/** As Node looks for it: in the `node_modules` of every folder above. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return realpathSync(place)
    if (folder === dirname(folder)) return undefined
  }
}
