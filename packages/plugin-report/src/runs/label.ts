import type { LoadedRun, UnlabelledRun } from './loaded.js'

/** Facts that say how hard a server was pushed: points along a line, not lines of their own. */
export const LOAD_FACTS = ['concurrency', 'request_rate', 'users', 'prefill_concurrency', 'request_count'] as const
/** Facts that name a run and say nothing of it. */
const NAMES = new Set(['run_name', 'experiment_group'])

/** Keys in which the runs differ, those of the load last. */
export function differingFacts(runs: readonly { facts: UnlabelledRun['facts'] }[]): string[] {
  const keys = [...new Set(runs.flatMap((run) => Object.keys(run.facts)))].filter((key) => !NAMES.has(key))
  const differing = keys.filter((key) => new Set(runs.map((run) => run.facts[key])).size > 1)
  const isLoad = (key: string): boolean => (LOAD_FACTS as readonly string[]).includes(key)
  // The number of requests follows from the load in most sweeps.
  const load = differing.filter(isLoad)
  const useful = load.length > 1 ? load.filter((key) => key !== 'request_count') : load
  return [...differing.filter((key) => !isLoad(key)), ...useful]
}

const WORDS: Record<string, string> = { model: '', endpoint_type: '', request_rate: 'rate', request_count: 'requests', prefill_concurrency: 'prefill' }
const said = (key: string, value: unknown): string => `${WORDS[key] ?? key.replaceAll('_', ' ')} ${String(value)}`.trim()

/** Names each run by what tells it from the others; by its folder where nothing does. */
export function labelRuns(runs: readonly UnlabelledRun[]): LoadedRun[] {
  const keys = differingFacts(runs)
  const labels = runs.map((run) => keys.flatMap((key) => (run.facts[key] === undefined || run.facts[key] === '' ? [] : [said(key, run.facts[key])])).join(', '))
  const used = new Map<string, number>()
  return runs.map((run, i) => {
    const label = labels[i]!
    const same = runs.filter((_, j) => labels[j] === label)
    if (same.length === 1) return { ...run, label: label || run.name }
    // Trials of one point are numbered; different runs that look alike are told apart by their folders.
    if (label !== '' && same.every((other) => other.point === run.point)) {
      const number = (used.get(label) ?? 0) + 1
      used.set(label, number)
      return { ...run, label: `${label} #${number}` }
    }
    return { ...run, label: label === '' ? distinctName(run, same) : `${label} (${distinctName(run, same)})` }
  })
}

/** The folder of the path that no other run's has; else the end of the path that no other run shares. */
function distinctName(run: UnlabelledRun, others: readonly UnlabelledRun[]): string {
  const segments = (directory: string): string[] => directory.split(/[\\/]/)
  const own = segments(run.directory)
  for (let n = 1; n <= own.length; n++) {
    const end = own.slice(-n).join('/')
    if (others.some((other) => other !== run && segments(other.directory).slice(-n).join('/') === end)) continue
    const folder = own.at(-n)!
    return others.some((other) => other !== run && segments(other.directory).includes(folder)) ? end : folder
  }
  return run.name
}
