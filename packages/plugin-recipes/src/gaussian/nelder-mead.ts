/** Minimum of a function of a few variables without its slopes (Nelder and Mead 1965). */
export function nelderMead(f: (x: readonly number[]) => number, start: readonly number[], { step = 0.5, most = 200, tolerance = 1e-4 } = {}): { x: number[]; value: number } {
  const n = start.length
  const at = (x: number[]) => ({ x, value: f(x) })
  let simplex = [at([...start]), ...start.map((_, i) => at(start.map((v, k) => (k === i ? v + step : v))))]
  for (let i = 0; i < most; i++) {
    simplex.sort((a, b) => a.value - b.value)
    const [best, worst] = [simplex[0]!, simplex[n]!]
    if (Math.abs(worst.value - best.value) < tolerance) break
    const centre = start.map((_, k) => simplex.slice(0, n).reduce((sum, p) => sum + p.x[k]!, 0) / n)
    const towards = (factor: number) => at(centre.map((c, k) => c + factor * (worst.x[k]! - c)))
    const reflected = towards(-1)
    if (reflected.value < best.value) {
      const further = towards(-2)
      simplex[n] = further.value < reflected.value ? further : reflected
    } else if (reflected.value < simplex[n - 1]!.value) simplex[n] = reflected
    else {
      const nearer = towards(reflected.value < worst.value ? -0.5 : 0.5)
      if (nearer.value < Math.min(worst.value, reflected.value)) simplex[n] = nearer
      else simplex = simplex.map((p, k) => (k === 0 ? p : at(p.x.map((v, j) => best.x[j]! + 0.5 * (v - best.x[j]!)))))
    }
  }
  return simplex.sort((a, b) => a.value - b.value)[0]!
}
