import type { DatasetMeta } from '../../contracts/dataset.js'
import type { ResolvedPhase } from '../phases.js'
import { conflict, listOf, type Rule, type RunView } from '../run-view.js'

const eachPhase =
  (rule: (phase: ResolvedPhase, view: RunView, at: number) => ReturnType<Rule>): Rule =>
  (view) =>
    view.phases.flatMap((phase, at) => listOf(rule(phase, view, at)))

const own = (phase: ResolvedPhase, profiling: string, warmup: string): string => (phase.model.kind === 'warmup' ? warmup : profiling)

const graceNeedsDuration = eachPhase((phase) => {
  const grace = phase.given('gracePeriod')
  if (!grace || phase.model.durationSeconds !== undefined) return undefined
  const duration = own(phase, '--benchmark-duration', '--warmup-duration')
  return conflict([grace.name, duration], `${grace.name} has no effect without ${duration}: it is the time after the duration in which requests in flight may finish.`, `Give ${duration} too, or drop ${grace.name}.`)
})

const delayNeedsRate = eachPhase((phase) => {
  const delay = phase.given('cancellation.delay')
  return delay && !phase.given('cancellation.rate')
    ? conflict([delay.name, '--request-cancellation-rate'], `${delay.name} has no effect without --request-cancellation-rate.`, `Give --request-cancellation-rate too, or drop ${delay.name}.`)
    : undefined
})

const prefillNeedsStreaming = eachPhase((phase, view) => {
  const prefill = phase.given('prefillConcurrency')
  return prefill && !view.model.endpoint.streaming
    ? conflict([prefill.name, '--streaming'], `${prefill.name} needs --streaming: without a stream nobody sees when the first token came.`, `Give --streaming too, or drop ${prefill.name}.`)
    : undefined
})

const stopCondition = eachPhase(({ draft, model }, view) => {
  if (!draft.fromFile || (view.selection.benchmark && draft.kind === 'profiling') || model.mode === 'fixed_schedule' || model.requests !== undefined || model.sessions !== undefined || model.durationSeconds !== undefined) return undefined
  return conflict([`phases.${draft.name}`], `The phase ${draft.name} never ends: it has neither requests nor duration nor sessions.`, 'Add one of them.')
})

const seamlessFirst = eachPhase((phase, _view, at) => (at === 0 && phase.model.seamless ? conflict([phase.given('seamless')?.name ?? 'seamless'], `The phase ${phase.draft.name} is the first one, so there is nothing it could follow without a seam.`, 'Drop seamless there.') : undefined))

/** A schedule needs times to keep, and every session once. */
const scheduleNeedsTimes = eachPhase((phase, view) => {
  if (phase.model.mode !== 'fixed_schedule') return undefined
  const by = phase.choice.by[0] ?? '--fixed-schedule'
  const { loader, benchmark } = view.selection
  const problems = []
  if (benchmark) problems.push(conflict([by, view.name('accuracy.benchmark')], `${by} needs a dataset with time stamps; the problems of ${benchmark.name} have none.`, `Drop ${by}.`))
  if (loader && (loader.meta as unknown as DatasetMeta).source === 'generated')
    problems.push(conflict([by, '--input-file'], `${by} needs a dataset with time stamps; ${loader.name} data has none.`, 'Give --input-file with a trace.'))
  const sampling = view.given('dataset.sampling')
  if (sampling && sampling.value !== 'sequential')
    problems.push(conflict([by, sampling.name], `${by} plays every session once, in order; ${sampling.name} must be sequential, got ${String(sampling.value)}.`, `Drop ${sampling.name}.`))
  return problems
})

/** Users send turn after turn: a conversation of one turn has nothing to come back for. */
const usersNeedTurns = eachPhase((phase, view) => {
  if (phase.model.mode !== 'user_centric') return undefined
  const { loader, benchmark } = view.selection
  if (benchmark) return conflict([phase.choice.by[0]!, view.name('accuracy.benchmark')], `${phase.choice.by[0]}: users need conversations of at least 2 turns; each problem of ${benchmark.name} is one.`, 'Give --concurrency or --request-rate instead.')
  if (loader?.name !== 'synthetic') return undefined
  const turns = view.flag('--session-turns-mean')
  if (typeof turns?.value === 'number' && turns.value >= 2) return undefined
  const name = turns?.name ?? '--session-turns-mean'
  return conflict([phase.choice.by[0]!, name], `${phase.choice.by[0]}: users need conversations of at least 2 turns; ${name} is ${turns ? String(turns.value) : 'not given'}.`, 'Give --session-turns-mean 2 or more.')
})

export const LOAD_RULES: readonly Rule[] = [graceNeedsDuration, delayNeedsRate, prefillNeedsStreaming, stopCondition, seamlessFirst, scheduleNeedsTimes, usersNeedTurns]
