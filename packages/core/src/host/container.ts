import { createRequire } from 'node:module'
import type { DependencyContainer, InjectionToken } from 'tsyringe'

/**
 * Tokens of the dependency containers. Symbols of the global registry, so that a second copy of this module (a vendor's)
 * means the same thing by them.
 */
export const TOKENS = {
  index: Symbol.for('aiperf.index'),
  clock: Symbol.for('aiperf.clock'),
  logger: Symbol.for('aiperf.logger'),
  runId: Symbol.for('aiperf.run.id'),
  seed: Symbol.for('aiperf.run.seed'),
  directory: Symbol.for('aiperf.run.directory'),
  abort: Symbol.for('aiperf.run.abort'),
} as const

/** The token of a contribution. */
export const contributionToken = (owner: string, kind: string, name: string): symbol => Symbol.for(`aiperf:${kind}:${owner}:${name}`)

let root: DependencyContainer | undefined

/** A new container below the process-wide one, or below `parent`. tsyringe is loaded on first use. */
export function newContainer(parent?: DependencyContainer): DependencyContainer {
  root ??= loadContainer()
  return (parent ?? root).createChildContainer()
}

/**
 * The bundled copy that the build makes, which loads in 5 ms; without it the packages themselves (30 files, 25 to 40 ms,
 * and twice that by `import`, which scans each CommonJS file for its exports). No decorators are used, so the smallest
 * build of the metadata functions that tsyringe insists on will do.
 */
function loadContainer(): DependencyContainer {
  const require = createRequire(import.meta.url)
  try {
    return (require('../../generated/container.cjs') as typeof import('tsyringe')).container
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    require('reflect-metadata/lite')
    return (require('tsyringe') as typeof import('tsyringe')).container
  }
}

export type { DependencyContainer, InjectionToken }
