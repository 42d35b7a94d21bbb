import type { Json } from '@aiperf/core'
import type { PlannedCell } from './cells.js'

const FORBIDDEN = /[<>:"|?*/\\\u0000-\u001f]|\.\./g
const LONGEST_NAME = 160
/** Folders that a plan has besides those of its points. */
const RESERVED = ['aggregate', 'sweep_aggregate', 'profile_runs', 'checkpoints', 'logs']

const text = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
const isFlat = (value: Json): boolean => typeof value !== 'object' || value === null
const leaf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/**
 * Short names of swept paths: the last segment, or as many of the last ones as tell two paths apart
 * (`datasets.main.prompts.isl` → `isl`).
 */
export function parameterNames(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const path of paths) {
    const segments = path.split('.')
    let length = 1
    const name = (of: readonly string[]) => of.slice(-length).join('.')
    while (length < segments.length && paths.some((other) => other !== path && name(other.split('.')) === name(segments))) length++
    names.set(path, name(segments))
  }
  return names
}

/** `path=value, path=value`, or the name of a scenario. */
export function labelOf(cell: PlannedCell, index: number): string {
  if (cell.name !== undefined) return cell.name
  const parts = Object.entries(cell.values).map(([path, value]) => `${path}=${text(value)}`)
  return parts.length > 0 ? parts.join(', ') : `variation_${index}`
}

/** As a person reads it: `concurrency 16, isl 512`. */
export function shortLabel(cell: Pick<PlannedCell, 'name' | 'values'>): string {
  if (cell.name !== undefined) return cell.name
  const names = parameterNames(Object.keys(cell.values))
  const parts = Object.entries(cell.values).map(([path, value]) => `${names.get(path)!} ${text(value)}`)
  return parts.length > 0 ? parts.join(', ') : 'run'
}

/**
 * Folder names of the points: `osl_8__concurrency_2`; a scenario's name where its values are not flat. Two points never
 * share one.
 */
export function folderNames(cells: readonly PlannedCell[]): string[] {
  const taken = new Set<string>(RESERVED)
  return cells.map((cell, index) => {
    const wanted = folderName(cell, index)
    let name = wanted
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${wanted}-${i}`
    taken.add(name.toLowerCase())
    return name
  })
}

function folderName(cell: PlannedCell, index: number): string {
  const entries = Object.entries(cell.values)
  const short = parameterNames(entries.map(([path]) => path))
  const clash = new Set(entries.map(([path]) => leaf(path))).size < entries.length
  const flat = entries.length > 0 && entries.every(([, value]) => isFlat(value))
  const raw = flat ? entries.map(([path, value]) => `${clash ? short.get(path)! : leaf(path)}_${text(value)}`).join('__') : (cell.name ?? labelOf(cell, index))
  const name = raw.replaceAll(FORBIDDEN, '').trim()
  return name === '' || name.length > LONGEST_NAME ? `variation_${index}` : name
}
