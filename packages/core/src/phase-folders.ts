import type { PhaseInfo } from './contracts/result.js'

/** A folder name for each phase (`phases/<name>/`): its name with what is no plain file name replaced, made unique by the index. */
export function phaseFolders(phases: readonly Pick<PhaseInfo, 'name' | 'index'>[]): string[] {
  const taken = new Set<string>()
  return phases.map((phase) => {
    const plain = phase.name.replace(/[^\p{L}\p{N}._-]/gu, '_').replace(/^\.+/, '_') || '_'
    const name = taken.has(plain.toLowerCase()) ? `${plain}_${phase.index}` : plain
    taken.add(name.toLowerCase())
    return name
  })
}
