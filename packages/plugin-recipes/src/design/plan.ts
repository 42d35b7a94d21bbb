import { ConfigurationError, createRandom, type Json, type JsonObject, type Problem, type Random, type Sweep } from '@aiperf/core'
import { pointAt, type DesignDimension } from './dimension.js'

export interface DesignOptions {
  samples: number
  seed?: number
  scramble: boolean
  labelFormat: 'index' | 'kv'
  dimensions: { path: string; lo?: number; hi?: number; choices?: Json[]; scale: 'linear' | 'log'; kind: 'real' | 'int' }[]
}

/** The random stream of a design: of its own seed, or of the run's. */
export const streamOf = ({ seed }: DesignOptions, ofRun: (name: string) => Random): Random => (seed === undefined ? ofRun('design') : createRandom(seed, 'design'))

/** Checked dimensions; every fault at once. */
export function dimensionsOf(type: string, { dimensions }: DesignOptions): DesignDimension[] {
  const problems: Problem[] = []
  const found = dimensions.map(({ path, lo, hi, choices, scale, kind }): DesignDimension => {
    const fault = (message: string) => problems.push({ flags: ['sweep.dimensions'], message: `sweep.dimensions, ${path}: ${message}.` })
    if (choices) {
      if (lo !== undefined || hi !== undefined) fault('has choices and bounds; give one of them')
      return { path, choices }
    }
    if (lo === undefined || hi === undefined) fault(`needs lo and hi, or choices, for a ${type} sweep`)
    else if (hi <= lo) fault(`hi must be above lo, got ${lo} and ${hi}`)
    else if (scale === 'log' && lo <= 0) fault(`a logarithmic scale begins above 0, got ${lo}`)
    else if (kind === 'int' && Math.ceil(lo) > Math.floor(hi)) fault(`there is no whole number between ${lo} and ${hi}`)
    return { path, low: lo ?? 0, high: hi ?? 1, integer: kind === 'int', ...(scale === 'log' ? { log: true } : {}) }
  })
  if (problems.length > 0) throw new ConfigurationError(problems)
  return found
}

/** A sweep over the points of a design, with the values it really uses in a file. */
export function designed(type: string, options: DesignOptions, shares: readonly (readonly number[])[], more: JsonObject, notices: readonly string[]): Sweep {
  const dimensions = dimensionsOf(type, options)
  const points = shares.map((at) => pointAt(dimensions, at))
  return {
    kind: 'sweep',
    notices,
    cells: points.map((point, i) => ({ ...(options.labelFormat === 'index' ? { name: `${type}_${String(i).padStart(4, '0')}` } : {}), point })),
    files: {
      'sampling_design.json': {
        type,
        samples: options.samples,
        seed: options.seed ?? null,
        scramble: options.scramble,
        ...more,
        dimensions: options.dimensions as unknown as JsonObject[],
        samples_mapped: points.map((point) => dimensions.map((d) => point[d.path]!)),
      },
    },
  }
}
