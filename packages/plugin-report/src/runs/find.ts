import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { AiperfError } from '@aiperf/core'
import type { RunFiles } from './file-run.js'

/** Where a run was found, and how it can be read. */
export type Found =
  | { kind: 'journal'; directory: string }
  | ({ kind: 'files' } & RunFiles)
  /** What several runs gave together; the runs themselves are gone. */
  | { kind: 'aggregate'; directory: string; summary: string }
  /** The points of a sweep; the runs themselves are gone. */
  | { kind: 'sweep'; directory: string; summary: string }

const SUMMARY = 'profile_export_aiperf.json'
const REQUESTS = 'profile_export.jsonl'
const AGGREGATE = 'profile_export_aiperf_aggregate.json'
const SWEEP = 'profile_export_aiperf_sweep.json'
/** Folders within a run that are no runs of their own. */
const INNER = new Set(['journal', 'phases', 'plots', 'logs', 'raw_records', 'output_fragments', 'node_modules'])

/** Every run at or below the paths, each once, by path. Throws when a path does not exist. */
export function findRuns(paths: readonly string[], warn: (message: string) => void): Found[] {
  const found = new Map<string, Found>()
  const visited = new Set<string>()
  const visit = (path: string, asked: boolean): void => {
    let real: string
    let entries: Dirent[]
    try {
      real = realpathSync(path)
      if (asked && !statSync(real).isDirectory()) throw Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' })
      if (visited.has(real)) return
      visited.add(real)
      entries = readdirSync(real, { withFileTypes: true })
    } catch (error) {
      if (!asked) return void ((error as NodeJS.ErrnoException).code === 'ENOTDIR' || warn(`${path} cannot be read: ${(error as Error).message}`))
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      throw new AiperfError('E_INPUT_FILE', missing ? `${path} does not exist.` : `${path} cannot be read: ${(error as Error).message}.`, { hint: 'Give the folder of a run or of a sweep, or a folder above it.' })
    }
    const run = runAt(real, entries)
    if (run) found.set(real, run)
    for (const entry of entries)
      if (!INNER.has(entry.name) && !entry.name.startsWith('.') && (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(real, entry.name))))) visit(join(real, entry.name), false)
  }
  for (const path of paths) visit(resolve(path), true)
  return withoutShadows([...found.values()]).sort((a, b) => (a.directory < b.directory ? -1 : 1))
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function runAt(directory: string, entries: readonly Dirent[]): Found | undefined {
  const names = new Set(entries.map((entry) => entry.name))
  if (names.has('journal') && isFile(join(directory, 'journal', 'manifest.json'))) return { kind: 'journal', directory }
  const some = (key: 'summary' | 'requests' | 'slices' | 'gpu' | 'server', ...candidates: string[]) => {
    const name = candidates.find((candidate) => names.has(candidate))
    return name === undefined ? {} : { [key]: name }
  }
  // Where every request failed the reference writes no summary; one that is being written makes no run yet.
  if (names.has(SUMMARY) || (names.has(REQUESTS) && !names.has(`${SUMMARY}.part`)))
    return {
      kind: 'files', directory,
      ...some('summary', SUMMARY), ...some('requests', REQUESTS), ...some('slices', 'profile_export_aiperf_timeslices.json'),
      ...some('gpu', 'gpu_telemetry_export.jsonl'), ...some('server', 'server_metrics_export.jsonl'),
    }
  if (names.has(AGGREGATE)) return { kind: 'aggregate', directory, summary: AGGREGATE }
  if (names.has(SWEEP)) return { kind: 'sweep', directory, summary: SWEEP }
  // Files of --profile-export-prefix P: P.json beside P.jsonl.
  const prefix = [...names].find((name) => name.endsWith('.jsonl') && names.has(name.replace(/\.jsonl$/, '.json')))?.slice(0, -'.jsonl'.length)
  if (prefix === undefined || prefix === 'server_metrics_export') return undefined
  return {
    kind: 'files', directory, summary: `${prefix}.json`, requests: `${prefix}.jsonl`,
    ...some('slices', `${prefix}_timeslices.json`), ...some('gpu', `${prefix}_gpu_telemetry.jsonl`), ...some('server', `${prefix}_server_metrics.jsonl`),
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** An aggregate counts only where the runs it was made of are not there themselves; so does the file of a sweep. */
function withoutShadows(found: readonly Found[]): Found[] {
  const within = (root: string, directory: string): boolean => directory === root || directory.startsWith(root + sep)
  const runs = found.filter((f) => f.kind === 'journal' || f.kind === 'files').map((f) => f.directory)
  return found.filter((f) => {
    const parent = dirname(f.directory)
    if (f.kind === 'sweep') {
      const root = basename(f.directory) === 'sweep_aggregate' ? parent : f.directory
      return !found.some((other) => other !== f && within(root, other.directory))
    }
    if (f.kind !== 'aggregate') return true
    if (basename(f.directory) === 'aggregate') return !runs.some((run) => within(parent, run))
    if (basename(parent) !== 'aggregate') return true
    const cell = basename(f.directory)
    const root = dirname(parent)
    // The folders of a search are numbered, not named by its points.
    return !runs.some((run) => run.startsWith(root + sep) && run.slice(root.length).split(sep).some((folder) => folder === cell || folder.startsWith('search_iter_')))
  })
}
