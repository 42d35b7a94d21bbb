import { join } from 'node:path'

const number = (n: number): string => String(n).padStart(4, '0')

/** What decides where runs and aggregates of a plan are kept. */
export interface LayoutFacts {
  kind: 'repeats' | 'sweep' | 'search'
  /** At most this many runs per point. */
  trials: number
  order: 'repeated' | 'independent'
}

/** Folders of a plan, relative to its own, as AIPerf 0.13.0 lays them out. Numbers in names are from 1, those of iterations from 0. */
export interface Layout {
  run(cell: { folder: string; index: number }, trial: number): string
  /** Of what the runs of one point gave together. */
  cellAggregate(cell: { folder: string }): string
  /** Of what all points gave. */
  sweepAggregate: string
}

export function layoutOf({ kind, trials, order }: LayoutFacts): Layout {
  if (kind === 'repeats') return { run: (_cell, trial) => join('profile_runs', `run_${number(trial + 1)}`), cellAggregate: () => 'aggregate', sweepAggregate: 'sweep_aggregate' }
  if (kind === 'search')
    return {
      run: ({ index }, trial) => join(`search_iter_${number(index)}`, 'profile_runs', `run_${number(trial + 1)}`),
      cellAggregate: ({ folder }) => join('aggregate', folder),
      sweepAggregate: 'sweep_aggregate',
    }
  const repeated = order === 'repeated'
  return {
    run: ({ folder }, trial) => {
      if (trials === 1) return folder
      return repeated ? join('profile_runs', `trial_${number(trial + 1)}`, folder) : join(folder, 'profile_runs', `trial_${number(trial + 1)}`)
    },
    cellAggregate: ({ folder }) => (repeated ? join('aggregate', folder) : join(folder, 'aggregate')),
    sweepAggregate: trials > 1 && repeated ? join('aggregate', 'sweep_aggregate') : 'sweep_aggregate',
  }
}
