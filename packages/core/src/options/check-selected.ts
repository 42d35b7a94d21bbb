import type { JsonObject } from '../contracts/dataset.js'
import type { RunModel } from '../contracts/run.js'
import type { Problem } from '../errors.js'
import type { Host } from '../host/activate.js'
import type { Kind } from '../kinds.js'

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
  const others: [Kind, string, JsonObject][] = [
    ['endpoint', model.endpoint.type, model.endpoint.options],
    ['transport', model.transport.type, model.transport.options],
    ...(model.dataset.type === 'auto' ? [] : [['dataset_loader', model.dataset.type, model.dataset.options] as [Kind, string, JsonObject]]),
  ]
  for (const [kind, name, options] of others) {
    const check = await host.checkOf(kind, name)
    if (check) problems.push(...check(options))
  }
  return problems.map(sentence)
}

/** Plugins write fragments as they like; people read sentences. */
function sentence(problem: Problem): Problem {
  const end = (text: string) => (/[.!?…)]$/.test(text) ? text : `${text}.`)
  const begin = (text: string) => (text.startsWith('-') ? text : text.charAt(0).toUpperCase() + text.slice(1))
  return { ...problem, message: end(problem.message), ...(problem.hint === undefined ? {} : { hint: end(begin(problem.hint)) }) }
}
