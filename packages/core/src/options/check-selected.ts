import type { RunModel } from '../contracts/run.js'
import type { Problem } from '../errors.js'
import type { Host } from '../host/activate.js'
import type { Checkable } from './model-parts.js'
import type { Resolved } from './resolve.js'

/**
 * Asks the chosen contributions for what only they know to be wrong with their options: a timing mode's `check`, and the
 * `check` that other entry modules may export. Imports those modules, nothing else.
 */
export async function checkSelected(host: Host, model: RunModel): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const phase of model.phases) {
    const mode = await host.activate('timing_mode', phase.mode, undefined)
    const { name, kind, requests, sessions, durationSeconds } = phase
    const request = {
      name, kind,
      ...(requests === undefined ? {} : { requests }),
      ...(sessions === undefined ? {} : { sessions }),
      ...(durationSeconds === undefined ? {} : { durationNs: durationSeconds * 1e9 }),
    }
    problems.push(...(mode.check?.(phase.options, request) ?? []))
  }
  const others: Checkable[] = [
    { kind: 'endpoint', name: model.endpoint.type, options: model.endpoint.options },
    { kind: 'transport', name: model.transport.type, options: model.transport.options },
    ...(model.accuracy
      ? [{ kind: 'accuracy_benchmark' as const, name: model.accuracy.benchmark, options: model.accuracy.options }, { kind: 'accuracy_grader' as const, name: model.accuracy.grader, options: model.accuracy.graderOptions }]
      : []),
    ...(model.dataset.type === 'auto' ? [] : [{ kind: 'dataset_loader' as const, name: model.dataset.type, options: model.dataset.options }]),
  ]
  return [...problems, ...(await checks(host, others))].map(sentence)
}

/** Everything that is wrong with a configuration: what its schemas and rules say, and what the chosen contributions do. */
export async function allProblems(host: Host, resolved: Resolved): Promise<Problem[]> {
  return [...resolved.problems, ...(await (resolved.model ? checkSelected(host, resolved.model) : checkBesides(host, resolved)))]
}

/**
 * What can be checked of a configuration that has problems already. What concerns a flag that was refused is left out, and
 * so is what cannot be loaded.
 */
async function checkBesides(host: Host, { checkable, problems }: Pick<Resolved, 'checkable' | 'problems'>): Promise<Problem[]> {
  const refused = new Set(problems.flatMap((problem) => problem.flags))
  const more: Problem[] = []
  for (const part of checkable) more.push(...(await checks(host, [part]).catch(() => [])))
  return more.filter((problem) => !problem.flags.some((flag) => refused.has(flag))).map(sentence)
}

async function checks(host: Host, parts: readonly Checkable[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { kind, name, options } of parts) {
    const check = await host.checkOf(kind, name)
    if (check) problems.push(...check(options))
  }
  return problems
}

/** Plugins write fragments as they like; people read sentences. */
function sentence(problem: Problem): Problem {
  const end = (text: string) => (/[.!?…)]$/.test(text) ? text : `${text}.`)
  const begin = (text: string) => (text.startsWith('-') ? text : text.charAt(0).toUpperCase() + text.slice(1))
  return { ...problem, message: end(problem.message), ...(problem.hint === undefined ? {} : { hint: end(begin(problem.hint)) }) }
}
