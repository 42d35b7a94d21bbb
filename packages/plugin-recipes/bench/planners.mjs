// Plays searches against simulated servers with known answers, and prints the tables of docs/search.md.
//   node packages/plugin-recipes/bench/planners.mjs [searches] [planners, with commas] [servers] [noises]
import { createRandom } from '@aiperf/core'
import { BayesianSearch } from '../dist/bayesian/search.js'
import { MonotonicSearch } from '../dist/monotonic-sla.js'
import { SmoothIsotonicSearch } from '../dist/smooth-isotonic.js'
import { monotonic, smooth } from './reference.mjs'
import { LIMIT, SERVERS } from './servers.mjs'

const SEARCHES = Number(process.argv[2] ?? 200)
const chosen = (argument, all) => (argument ? argument.split(',').map((name) => [name, all[name]]) : Object.entries(all))
const LOAD = 'concurrency'
const NOISES = process.argv[5]?.split(',').map(Number) ?? [0, 0.01, 0.02, 0.05]
const boundary = { confidence: 0.95, precision: 0.05, slaReplicates: 0, slaWarmupSeconds: 0, monotonicStabilityTrials: 2 }
const bayesian = { confidence: 0.95, precision: 0.05, initialPoints: 5, improvementPatience: 10, plateauWindow: 8, plateauThreshold: 0.01 }
const searchOf = (maxIterations) => ({
  kind: 'search', planner: '', plannerOptions: {}, dimensions: [{ path: LOAD, low: 1, high: 1000, integer: true, log: true }],
  objectives: [{ tag: 'throughput', stat: 'avg', direction: 'maximize' }], constraints: [{ tag: 'latency', stat: 'p95', op: '<', threshold: LIMIT }], fixed: {}, maxIterations,
})
const factor = (random, noise) => (noise === 0 ? 1 : Math.exp(random.normal(0, noise) - noise ** 2 / 2))

function play(planner, server, noise, seed, most) {
  const random = createRandom(seed, 'noise')
  let runs = 0
  for (;;) {
    const ask = planner.ask()
    if (ask.kind === 'done' || runs >= most) break
    runs++
    const x = ask.point[LOAD]
    const metric = (tag, stat, value) => [tag, { tag, [stat]: value * factor(random, noise) }]
    planner.tell(ask.point, [{ point: ask.point, verdict: 'valid', directory: '', metrics: new Map([metric('latency', 'p95', server.latency(x)), metric('throughput', 'avg', server.throughput(x))]) }])
  }
  const summary = planner.summary()
  return { found: summary.best_trials?.[0]?.variation_values[LOAD] ?? summary.boundary_summary?.feasible_max?.value, runs }
}

const METHODS = {
  smooth_isotonic: { play: (s, noise, seed) => play(new SmoothIsotonicSearch(searchOf(60), boundary), s, noise, seed, 60), reference: smooth },
  monotonic_sla: { play: (s, noise, seed) => play(new MonotonicSearch(searchOf(60), boundary), s, noise, seed, 60), reference: monotonic },
  bayesian: { play: (s, noise, seed) => play(new BayesianSearch(searchOf(30), bayesian, (name) => createRandom(seed, name)), s, noise, seed, 30) },
}

const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
/** Runs that are spent until one search has ended well, if searches that did not could be told and made again. */
const perAnswer = ({ runs, near }) => (runs / near).toFixed(1)
function measured(results, server, byObjective) {
  const n = results.length
  const sorted = results.map((r) => r.runs).sort((a, b) => a - b)
  const near = ({ found }) => found !== undefined && server.latency(found) < LIMIT && (byObjective ? server.throughput(found) >= 0.95 * server.throughput(server.best) : found >= 0.95 * server.best - 1)
  const values = results.flatMap((r) => r.found ?? []).sort((a, b) => a - b)
  return {
    found: values[Math.floor(values.length / 2)],
    near: results.filter(near).length / n,
    wrong: results.filter(({ found }) => found !== undefined && server.latency(found) >= LIMIT).length / n,
    runs: sorted.reduce((a, b) => a + b, 0) / n,
    late: sorted[Math.floor(n * 0.95)],
  }
}

for (const [name, method] of chosen(process.argv[3], METHODS)) {
  console.log(`\n### ${name}\n`)
  const header = ['server', 'best', 'noise of a run', 'found (median)', 'within 5 %', 'false claims', 'runs (mean, 95 % of searches)', 'runs for an answer within 5 %']
  if (method.reference) header.push('0.13.0: within 5 %', '0.13.0: false claims', '0.13.0: runs', '0.13.0: runs for an answer within 5 %')
  console.log(`| ${header.join(' | ')} |\n| ${header.map((_, i) => (i === 0 ? '---' : '---:')).join(' | ')} |`)
  for (const [key, server] of chosen(process.argv[4], SERVERS))
    for (const noise of NOISES) {
      const count = noise === 0 ? 1 : SEARCHES
      const ours = measured(Array.from({ length: count }, (_, seed) => method.play(server, noise, seed)), server, name === 'bayesian')
      const row = [key, server.best, percent(noise), ours.found ?? '–', percent(ours.near), percent(ours.wrong), `${ours.runs.toFixed(1)}, ${ours.late}`, perAnswer(ours)]
      if (method.reference) {
        const theirs = measured(
          Array.from({ length: count }, (_, seed) => {
            const random = createRandom(seed, 'noise')
            return method.reference((x) => server.latency(x) * factor(random, noise), LIMIT, 1, 1000, 60)
          }),
          server,
        )
        row.push(percent(theirs.near), percent(theirs.wrong), theirs.runs.toFixed(1), perAnswer(theirs))
      }
      console.log(`| ${row.join(' | ')} |`)
    }
}
