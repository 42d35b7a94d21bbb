import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IndexedPackage } from '@aiperf/core/host'

/**
 * What code a package consists of: SHA-256 over its package.json, its manifest and every file below dist, by name and
 * content, in the order of names. Two runs with the same value ran the same plugin, whatever its version says.
 */
export async function packageIntegrity({ directory }: IndexedPackage): Promise<string | undefined> {
  try {
    const below = await readdir(join(directory, 'dist'), { recursive: true, withFileTypes: true })
    const built = below.filter((e) => e.isFile() && /\.(js|mjs|cjs|json|node|wasm)$/.test(e.name)).map((e) => join(e.parentPath, e.name))
    const hash = createHash('sha256')
    for (const path of [join(directory, 'package.json'), join(directory, 'aiperf.manifest.json'), ...built.sort()]) {
      hash.update(path.slice(directory.length))
      hash.update(await readFile(path).catch(() => ''))
    }
    return `sha256-${hash.digest('base64')}`
  } catch {
    // A plugin without a dist folder keeps its code elsewhere: its version alone speaks for it.
    return undefined
  }
}
