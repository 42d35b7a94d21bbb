import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import { matern52 } from './kernel.js'

/** What a Gaussian process is made of besides its data. */
export interface Hyperparameters {
  /** Length scale of each dimension of the unit cube. */
  scales: readonly number[]
  /** Variance of the function. */
  variance: number
  /** Variance of one run around it. */
  noise: number
}

/** Mean values at distinct points, and how many runs each is the mean of. */
export interface Data {
  x: readonly (readonly number[])[]
  y: readonly number[]
  runs: readonly number[]
}

const JITTER = 1e-8

const covariance = (a: Data['x'], b: Data['x'], { scales, variance }: Hyperparameters): Matrix => {
  const k = new Matrix(a.length, b.length)
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) k.set(i, j, variance * matern52(a[i]!, b[j]!, scales))
  return k
}

/** Cholesky factor; what rounding made indefinite is lifted a little more each time. */
function factor(k: Matrix, scale: number): CholeskyDecomposition {
  for (let jitter = JITTER * scale; ; jitter *= 10) {
    const lifted = k.clone()
    for (let i = 0; i < k.rows; i++) {
      lifted.set(i, i, k.get(i, i) + jitter)
      // Differences in the last digit are no asymmetry.
      for (let j = 0; j < i; j++) lifted.set(i, j, k.get(j, i))
    }
    const found = new CholeskyDecomposition(lifted)
    if (found.isPositiveDefinite() || jitter > scale) return found
  }
}

/** Posterior of a function given noisy means of it, all in standard units. */
export class GaussianProcess {
  readonly #noisy: CholeskyDecomposition
  readonly #weights: Matrix

  constructor(
    readonly data: Data,
    readonly hyper: Hyperparameters,
  ) {
    const k = covariance(data.x, data.x, hyper)
    for (const [i, runs] of data.runs.entries()) k.set(i, i, k.get(i, i) + hyper.noise / runs)
    this.#noisy = factor(k, hyper.variance)
    this.#weights = this.#noisy.solve(Matrix.columnVector([...data.y]))
  }

  /** Log of the probability of the data. */
  get logLikelihood(): number {
    const { y } = this.data
    const fit = y.reduce((sum, v, i) => sum + v * this.#weights.get(i, 0), 0)
    const l = this.#noisy.lowerTriangularMatrix
    let logDeterminant = 0
    for (let i = 0; i < y.length; i++) logDeterminant += Math.log(Math.max(l.get(i, i), 1e-300))
    return -0.5 * fit - logDeterminant - 0.5 * y.length * Math.log(2 * Math.PI)
  }

  /** Mean and variance of the function (without the noise of a run) at points. */
  posterior(x: Data['x']): { mean: number[]; variance: number[] } {
    const k = covariance(this.data.x, x, this.hyper)
    const solved = this.#noisy.solve(k)
    const mean = x.map((_, j) => this.data.y.reduce((sum, _y, i) => sum + k.get(i, j) * this.#weights.get(i, 0), 0))
    const variance = x.map((_, j) => {
      let explained = 0
      for (let i = 0; i < this.data.y.length; i++) explained += k.get(i, j) * solved.get(i, j)
      return Math.max(this.hyper.variance - explained, 1e-12)
    })
    return { mean, variance }
  }

  /**
   * The function as it may be: draws of its values at the data's points (columns of `draws`, from standard normal
   * variates), each with what it implies elsewhere.
   */
  sample(normals: Matrix): { draws: Matrix; at(x: Data['x']): { means: Matrix; deviation: number[] } } {
    const { x } = this.data
    const k = covariance(x, x, this.hyper)
    const posterior = k.clone().sub(k.mmul(this.#noisy.solve(k)))
    const l = factor(posterior, this.hyper.variance).lowerTriangularMatrix
    const centre = k.mmul(this.#weights)
    const draws = l.mmul(normals)
    for (let i = 0; i < draws.rows; i++) for (let j = 0; j < draws.columns; j++) draws.set(i, j, draws.get(i, j) + centre.get(i, 0))
    const exact = factor(k, this.hyper.variance)
    const weights = exact.solve(draws)
    return {
      draws,
      at: (points) => {
        const cross = covariance(points, x, this.hyper)
        const solved = exact.solve(cross.transpose())
        const deviation = points.map((_, i) => {
          let explained = 0
          for (let j = 0; j < x.length; j++) explained += cross.get(i, j) * solved.get(j, i)
          return Math.sqrt(Math.max(this.hyper.variance - explained, 1e-12))
        })
        return { means: cross.mmul(weights), deviation }
      },
    }
  }
}
