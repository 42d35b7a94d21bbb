import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AiperfError } from '@aiperf/core'
import { buildIndex, type IndexedContribution, type IndexedPackage } from '@aiperf/core/host'
import type { Config } from '@oclif/core/interfaces'
import { npm } from './npm.js'
import type { Spec } from './spec.js'
import { readTarball } from './tarball.js'

/** A package that is to be installed, as it was packed: looked at without running any of it. */
export interface Candidate {
  spec: Spec
  package: IndexedPackage
  contributions: IndexedContribution[]
  /** `sha512-…` of the tarball. */
  integrity: string
  /** Path of the tarball: kept for folders, which npm would otherwise link. */
  tarball: string
  /** It has scripts that npm would run on installation. */
  scripts: string[]
}

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']

/** Gets the tarball of what was asked for and reads what it offers. */
export async function fetchCandidate(config: Config, spec: Spec, scripts: boolean): Promise<Candidate> {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-install-'))
  try {
    const tarball = spec.type === 'tarball' ? spec.path : await pack(config, spec, folder, scripts)
    const files = readTarball(tarball, ['package.json', 'aiperf.manifest.json'])
    const view = join(folder, 'view')
    mkdirSync(view)
    for (const [name, content] of files) writeFileSync(join(view, name), content)
    const json = JSON.parse(files.get('package.json')?.toString() ?? '{}') as { scripts?: Record<string, string> }
    const { packages, contributions } = buildIndex([{ directory: view, origin: 'installed' }])
    const [found] = packages
    if (!found) throw new AiperfError('E_COMMAND', `${spec.text} is no plugin of AIPerf: its package.json has no "aiperf" key.`, { hint: 'Check the name, or ask its author.' })
    const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
    const keptTarball = spec.type === 'folder' ? store(config, tarball, found) : tarball
    return { spec, package: found, contributions, integrity, tarball: keptTarball, scripts: INSTALL_SCRIPTS.filter((name) => json.scripts?.[name] !== undefined) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function pack(config: Config, spec: Spec, folder: string, scripts: boolean): Promise<string> {
  const what = spec.type === 'folder' ? spec.path : spec.type === 'registry' ? `${spec.name}@${spec.tag}` : spec.text
  const packed = JSON.parse(await npm(config, ['pack', what, '--json', '--pack-destination', folder], { scripts, cwd: spec.type === 'folder' ? spec.path : folder })) as { filename: string }[]
  return join(folder, packed[0]!.filename.replace(/^@/, '').replace('/', '-'))
}

/** Tarballs of folders stay in the data folder, for npm to find them again. */
function store(config: Config, tarball: string, { name, version }: IndexedPackage): string {
  const folder = join(config.dataDir, 'packed')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name.replace(/^@/, '').replaceAll('/', '-')}-${version}.tgz`)
  writeFileSync(path, readFileSync(tarball))
  return path
}
