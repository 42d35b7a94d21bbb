import { Matrix } from 'ml-matrix'
import { Sobol } from '../design/sobol.js'
import { hypervolume } from '../gaussian/hypervolume.js'
import { expectedGain, normalCdf, normalQuantile } from '../statistics/normal.js'
import type { Output } from './outputs.js'

type Points = readonly (readonly number[])[]

/** Quasi-random standard normals, `rows` × `draws`. */
function normals(rows: number, draws: number): Matrix {
  const block = 16
  const matrix = new Matrix(rows, draws)
  for (let first = 0; first < rows; first += block) {
    const sobol = new Sobol(Math.min(block, rows - first))
    for (let j = 0; j < draws; j++) {
      // Blocks of dimensions take different stretches of the sequence, so that they do not move together.
      const at = sobol.at(j + 1 + first * draws)
      for (const [i, u] of at.entries()) matrix.set(first + i, j, normalQuantile(Math.min(1 - 1e-6, Math.max(1e-6, u))))
    }
  }
  return matrix
}

/** Draws of one quantity: its values at the visited points, and what each draw implies at candidates. */
interface Drawn {
  values: Matrix
  at(points: Points): { means: Matrix; deviation: number[] }
  /** Limit in standard units; of constraints only. */
  zero: number
}

function draw({ process, centre, scale }: Output, draws: number): Drawn {
  const { draws: values, at } = process.sample(normals(process.data.y.length, draws))
  return { values, at, zero: -centre / scale }
}

/** Probability of a standard normal variable below `z`, rounded where it is all but certain: most candidates are. */
const chance = (z: number): number => (z < -CERTAIN ? 0 : z > CERTAIN ? 1 : normalCdf(z))
const CERTAIN = 5

const DRAWS = { one: 64, several: 32 }

/**
 * How much a run at each candidate is expected to gain, although the values of what was run are only known with noise: the
 * gain is averaged over what they may be (noisy expected improvement, Letham and others 2019), each time weighted with the
 * probability that the limits are kept. Several objectives: gain of hypervolume. Where no draw has a feasible point yet, the
 * probability alone counts.
 */
export function noisyGain(objectives: readonly Output[], constraints: readonly Output[], reference: readonly number[], candidates: Points): number[] {
  const draws = objectives.length === 1 ? DRAWS.one : DRAWS.several
  const wanted = objectives.map((o) => draw(o, draws))
  const limits = constraints.map((c) => draw(c, draws))
  const there = wanted.map((d) => d.at(candidates))
  const kept = limits.map((d) => d.at(candidates))
  const visited = wanted[0]!.values.rows
  const extra = objectives.length === 1 ? undefined : normals(objectives.length, draws)
  const gain = new Array<number>(candidates.length).fill(0)
  for (let j = 0; j < draws; j++) {
    const feasible = Array.from({ length: visited }, (_, i) => i).filter((i) => limits.every((d) => i >= d.values.rows || d.values.get(i, j) < d.zero))
    const front = feasible.map((i) => wanted.map((d) => d.values.get(i, j)))
    const best = objectives.length === 1 ? Math.max(-Infinity, ...front.map(([v]) => v!)) : 0
    const volume = objectives.length === 1 ? 0 : hypervolume(front, reference)
    for (let c = 0; c < candidates.length; c++) {
      let weight = 1
      for (const [k, d] of limits.entries()) weight *= chance((d.zero - kept[k]!.means.get(c, j)) / kept[k]!.deviation[c]!)
      if (weight < 1e-6) continue
      if (objectives.length === 1) gain[c]! += weight * (best === -Infinity ? 1 : expectedGain(there[0]!.means.get(c, j), there[0]!.deviation[c]!, best))
      else {
        const value = there.map((t, k) => t.means.get(c, j) + t.deviation[c]! * extra!.get(k, j))
        gain[c]! += weight * (hypervolume([...front, value], reference) - volume)
      }
    }
  }
  return gain.map((g) => g / draws)
}
