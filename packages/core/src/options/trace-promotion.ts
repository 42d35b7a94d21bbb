import type { DatasetMeta } from '../contracts/dataset.js'
import type { Problem } from '../errors.js'
import { contributionsOf } from '../host/find.js'
import { either } from '../host/nearest.js'
import { isJsonObject } from '../json.js'
import type { RunView } from './run-view.js'
import { conflict } from './run-view.js'
import { selectingEntries, type ModeChoice, type PhaseDraft } from './timing-selection.js'

export const FIXED_SCHEDULE = 'fixed_schedule'

/**
 * A trace whose first record has a time stamp is replayed by its time stamps, unless the user said otherwise: only for a
 * format that was named, in a file. Flags that choose another mode contradict that, and are a problem.
 */
export function promoted(draft: PhaseDraft, choice: ModeChoice, view: Pick<RunView, 'index' | 'table' | 'chosen' | 'selection' | 'input'>): ModeChoice | Problem | undefined {
  const { index, table, chosen, selection, input } = view
  if (draft.kind !== 'profiling' || draft.fromFile || choice.mode.name === FIXED_SCHEDULE) return undefined
  const type = chosen.at('dataset.type')
  const path = chosen.at('dataset.path')
  if (!type || !path || !(selection.loader?.meta as unknown as DatasetMeta | undefined)?.isTrace) return undefined
  const mode = contributionsOf(index, 'timing_mode').find((m) => m.name === FIXED_SCHEDULE && !m.problem)
  if (!mode || selectingEntries(table, mode).some((entry) => draft.chosen.of(entry)?.value === false)) return undefined
  const first = input?.head?.type === 'file' ? input.head.first : undefined
  if (!isJsonObject(first) || first['timestamp'] === null || first['timestamp'] === undefined) return undefined
  if (choice.by.length > 0)
    return conflict(
      [...choice.by, path.name, '--no-fixed-schedule'],
      `${path.name} ${String(path.value)} has time stamps, so it is replayed by them; ${either(choice.by)} asks for other send times.`,
      `Give --no-fixed-schedule to ignore the time stamps, or drop ${either(choice.by)}.`,
    )
  return { mode, by: [type.name, path.name], implied: {}, overridesFile: false }
}
