/**
 * Largest distance between the distributions of two samples (Kolmogorov and Smirnov), and how likely one at least as large
 * is when both come from one distribution: exact for small samples, Smirnov's limit for large ones. Ties are counted as the
 * two distribution functions jumping together, which makes the p-value conservative.
 */
export function kolmogorovSmirnov(a: ArrayLike<number>, b: ArrayLike<number>): { distance: number; p: number } {
  const [first, second] = [Float64Array.from(a).sort(), Float64Array.from(b).sort()]
  const [n, m] = [first.length, second.length]
  if (n === 0 || m === 0) return { distance: 0, p: 1 }
  // In whole steps of 1 / (n·m), so that equal distances are equal.
  let widest = 0
  let i = 0
  let j = 0
  while (i < n && j < m) {
    const x = Math.min(first[i]!, second[j]!)
    while (i < n && first[i]! <= x) i++
    while (j < m && second[j]! <= x) j++
    widest = Math.max(widest, Math.abs(i * m - j * n))
  }
  return { distance: widest / (n * m), p: n * m <= EXACT ? exactP(widest, n, m) : limitP(widest / (n * m), (n * m) / (n + m)) }
}

const EXACT = 10_000

/**
 * Share of the ways to interleave the samples whose distance reaches `widest / (n·m)`: lattice paths that leave the band
 * around the diagonal (Hodges 1958).
 */
function exactP(widest: number, n: number, m: number): number {
  if (widest === 0) return 1
  // Probability that a path that is drawn step by step has stayed inside: each path is as likely as another.
  let row = new Float64Array(m + 1)
  for (let i = 0; i <= n; i++) {
    const next = new Float64Array(m + 1)
    for (let j = 0; j <= m; j++) {
      if (Math.abs(i * m - j * n) >= widest) continue
      if (i === 0 && j === 0) next[j] = 1
      else next[j] = (i > 0 ? row[j]! * (i / (i + j)) : 0) + (j > 0 ? next[j - 1]! * (j / (i + j)) : 0)
    }
    row = next
  }
  return Math.min(1, Math.max(0, 1 - row[m]!))
}

/** Kolmogorov's limit 2 Σ (−1)^(k−1) exp(−2 k² λ²), λ = √size · distance. */
function limitP(distance: number, size: number): number {
  const lambda = Math.sqrt(size) * distance
  if (lambda < 0.2) return 1
  let sum = 0
  for (let k = 1; k <= 100; k++) {
    const term = Math.exp(-2 * k * k * lambda * lambda)
    sum += k % 2 === 1 ? term : -term
    if (term < 1e-12) break
  }
  return Math.min(1, Math.max(0, 2 * sum))
}
