import { ConfigurationError, defineSearchRecipe, type Json, type Objective } from '@aiperf/core'
import { CONCURRENCY, ISL, needsStreaming, OSL } from './recipe/space.js'
import { paretoCells } from './report/pareto-cells.js'

const LOADS = [1, 4, 16, 64, 256]
const AXES: readonly Objective[] = [
  { tag: 'time_to_first_token', stat: 'p95', direction: 'minimize' },
  { tag: 'output_token_throughput', stat: 'avg', direction: 'maximize' },
]

/** Every shape of requests at every concurrency, and which of them no other beats in both latency and throughput. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options, { model, lists }) => {
      needsStreaming('pareto-sweep', model)
      const shapes = readPairs(options as unknown as { islOslPairs: string })
      const loads = lists[CONCURRENCY] ?? LOADS
      if (shapes.length * loads.length < 2) throw new ConfigurationError([{ flags: ['--isl-osl-pairs', '--concurrency'], message: '--search-recipe pareto-sweep needs at least two points to compare.', hint: 'Give several shapes, or several values of --concurrency.' }])
      return {
        kind: 'sweep',
        pareto: AXES,
        cells: shapes.flatMap(([isl, osl]) => loads.map((load: Json) => ({ name: `shape_${isl}_${osl}_c${String(load)}`, point: { [ISL]: isl, [OSL]: osl, [CONCURRENCY]: load } }))),
      }
    },
    report: (points) => ({ 'pareto_sweep.json': paretoCells(points, { isl: ISL, osl: OSL, concurrency: CONCURRENCY }, AXES) }),
  }),
})

function readPairs({ islOslPairs }: { islOslPairs: string }): [isl: number, osl: number][] {
  const wrong = (message: string) => new ConfigurationError([{ flags: ['--isl-osl-pairs'], message: `--isl-osl-pairs ${message}.`, hint: 'For example --isl-osl-pairs 128/128,512/256.' }])
  const pairs = islOslPairs.split(',').map((part): [number, number] => {
    const found = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(part)
    const [isl, osl] = [Number(found?.[1]), Number(found?.[2])]
    if (!found || isl < 1 || osl < 1) throw wrong(`must be input/output lengths of at least 1, got ${JSON.stringify(part.trim())}`)
    return [isl, osl]
  })
  const twice = pairs.find(([isl, osl], i) => pairs.findIndex((p) => p[0] === isl && p[1] === osl) !== i)
  if (twice) throw wrong(`holds ${twice.join('/')} twice`)
  return pairs
}
