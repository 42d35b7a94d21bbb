import type { Problem } from '../../errors.js'
import type { Given } from '../given.js'
import { conflict } from '../run-view.js'

/**
 * Comma lists ask for a sweep. Lists that do not pair in a zip are refused, and lists beside a replay; the others where
 * the caller cannot run a sweep.
 */
export function sweepProblems(given: Iterable<Given>, sweepType: string | undefined, scheduledBy: readonly string[], canSweep: boolean): Problem[] {
  const lists = [...given].filter((item) => item.sweep !== undefined)
  if (lists.length === 0) return []
  const names = lists.map((item) => item.name)
  const lengths = new Set(lists.map((item) => item.sweep!.length))
  if (sweepType === 'zip' && lengths.size > 1)
    return [conflict(['--sweep-type', ...names], `--sweep-type zip pairs lists of one length, got ${lists.map((item) => `${item.sweep!.length} values of ${item.name}`).join(' and ')}.`, 'Give lists of the same length, or use --sweep-type grid.')]
  if (scheduledBy.length > 0)
    return lists.map((item) => conflict([item.name, ...scheduledBy], `${item.name} ${item.sweep!.join(',')} asks for a sweep, which cannot be combined with ${scheduledBy.join(' and ')}: a replay is one load.`, 'Give one value.'))
  if (canSweep) return []
  return lists.map((item) => conflict([item.name], `${item.name} ${item.sweep!.join(',')} asks for a sweep over ${item.sweep!.length} values; sweeps are not available here yet.`, `Give one value, and run aiperf once for each.`))
}
