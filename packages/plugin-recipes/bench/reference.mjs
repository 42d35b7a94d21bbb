// The searches of AIPerf 0.13.0 along one dimension, as its behaviour is described: what they conclude from single runs.
import { isotonic } from '../dist/boundary/isotonic.js'
import { pchip, root } from '../dist/boundary/pchip.js'

const narrow = (low, high) => high - low <= 1 || (high - low) / high < 0.05

/** `run(x)` is one run's latency. Returns the value that is called feasible, and the number of runs. */
export function monotonic(run, limit, low, high, most) {
  let runs = 0
  const verdict = (x) => {
    const seen = { true: 0, false: 0 }
    while (runs < most) {
      runs++
      const passed = run(x) < limit
      if (++seen[passed] === 2) return passed
    }
    return undefined
  }
  return bracketed(verdict, () => runs, low, high, (a, b) => a + Math.floor((b - a) / 2))
}

export function smooth(run, limit, low, high, most) {
  let runs = 0
  const seen = new Map()
  const verdict = (x) => {
    if (runs >= most) return undefined
    runs++
    const margin = run(x) - limit
    seen.set(x, [...(seen.get(x) ?? []), margin])
    return margin < 0
  }
  let queue
  return bracketed(verdict, () => runs, low, high, (a, b) => {
    queue ??= [0.25, 0.5, 0.75].map((share) => Math.round(a + (b - a) * share))
    const next = queue.find((x) => x > a && x < b && !seen.has(x))
    if (next !== undefined) return next
    const xs = [...seen.keys()].sort((p, q) => p - q)
    const means = xs.map((x) => seen.get(x).reduce((sum, m) => sum + m, 0) / seen.get(x).length)
    const curve = pchip(xs, isotonic(means, xs.map((x) => seen.get(x).length)).map((m, i) => m + 1e-9 * i))
    return Math.min(b - 1, Math.max(a + 1, Math.round(root(curve, a, b))))
  })
}

function bracketed(verdict, runs, low, high, within) {
  let good
  let bad
  for (let x = low; ; x = Math.min(high, 2 * x)) {
    const passed = verdict(x)
    if (passed === undefined) return { found: good, runs: runs() }
    if (!passed) {
      bad = x
      break
    }
    good = x
    if (x === high) return { found: good, runs: runs() }
  }
  if (good === undefined) return { found: undefined, runs: runs() }
  while (!narrow(good, bad)) {
    const x = within(good, bad)
    const passed = verdict(x)
    if (passed === undefined) break
    if (passed) good = x
    else bad = x
  }
  return { found: good, runs: runs() }
}
