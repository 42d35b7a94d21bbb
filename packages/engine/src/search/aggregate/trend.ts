/**
 * Two-sided p-value of Mann and Kendall's test that values rise or fall with their order, exact for values that are all
 * different (ties count half). 1 for fewer than 4 values, of which no order is unlikely enough.
 */
export function trendP(values: readonly number[]): number {
  const n = values.length
  if (n < 4) return 1
  let score = 0
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) score += Math.sign(values[j]! - values[i]!)
  const pairs = (n * (n - 1)) / 2
  // Permutations of n by their number of inversions, as shares.
  let shares = [1]
  for (let m = 2; m <= n; m++) {
    const next = new Array<number>(shares.length + m - 1).fill(0)
    for (const [k, share] of shares.entries()) for (let more = 0; more < m; more++) next[k + more]! += share / m
    shares = next
  }
  const most = Math.floor((pairs - Math.abs(score)) / 2)
  return Math.min(1, 2 * shares.slice(0, most + 1).reduce((sum, share) => sum + share, 0))
}

/** Statistics that repeated runs are watched for. */
export const WATCHED = [
  ['request_throughput', 'avg'],
  ['request_latency', 'avg'],
  ['time_to_first_token', 'avg'],
] as const
export const TREND_LEVEL = 0.05
