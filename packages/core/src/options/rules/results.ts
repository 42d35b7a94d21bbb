import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { EndpointMeta } from '../../contracts/endpoint.js'
import type { Gate } from '../../contracts/metric.js'
import { didYouMean } from '../../host/nearest.js'
import type { MetricInfo } from '../../host/plugin-index.js'
import { conflict, type Rule, type RunView } from '../run-view.js'

/** Why a metric cannot exist in this run; undefined when it can. */
function gateClosed(gates: readonly Gate[] | undefined, view: RunView): string | undefined {
  const endpoint = view.selection.endpoint?.meta as unknown as EndpointMeta | undefined
  for (const gate of gates ?? []) {
    if (gate === 'streaming' && !view.model.endpoint.streaming) return 'it needs --streaming'
    if (gate === 'tokens' && endpoint?.producesTokens === false) return `the endpoint type ${view.model.endpoint.type} makes no tokens`
    if (gate === 'input-tokens' && endpoint?.tokenizesInput === false) return `the endpoint type ${view.model.endpoint.type} does not tokenize its input`
  }
  return undefined
}

/** Every objective names a metric that exists, per request, in this run. */
const goodput: Rule = (view) => {
  const given = view.given('slos')
  if (!given) return undefined
  const metrics = new Map<string, MetricInfo>(view.index.contributions.flatMap((c) => c.metrics ?? []).map((m) => [m.tag, m]))
  return Object.keys(view.model.slos).flatMap((tag) => {
    const metric = metrics.get(tag)
    const records = [...metrics.values()].filter((m) => m.kind === 'record').map((m) => m.tag)
    if (!metric) return [conflict([given.name], `${given.name}: there is no metric ${JSON.stringify(tag)}.`, didYouMean(tag, records) || 'Objectives are metrics of single requests, e.g. time_to_first_token or request_latency.')]
    if (metric.kind !== 'record') return [conflict([given.name], `${given.name}: ${tag} is no metric of single requests, so no request can meet it.`, 'Objectives are e.g. time_to_first_token, inter_token_latency or request_latency.')]
    const closed = gateClosed(metric.gates, view)
    return closed === undefined ? [] : [conflict([given.name], `${given.name}: ${tag} cannot be measured in this run: ${closed}.`)]
  })
}

/** `undefined`: there is nothing, or it stands below a file. */
function kindOf(path: string): 'folder' | 'other' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other'
  } catch {
    return undefined
  }
}

const artifactFolder: Rule = (view) => {
  const name = view.name('artifacts.dir')
  const folder = resolve(view.model.artifacts.dir)
  let at = folder
  for (;;) {
    const found = kindOf(at)
    if (found === 'other') return conflict([name], `${name}: ${at === folder ? view.model.artifacts.dir : at} is a file, expected a folder.`, 'Name a folder; it is made when it does not exist.')
    if (found === 'folder') break
    at = dirname(at)
  }
  try {
    accessSync(at, constants.W_OK)
    return undefined
  } catch {
    return conflict([name], `${name}: the folder ${at} may not be written to.`, 'Name another folder, or change its permissions.')
  }
}

const outputsClash: Rule = (view) => {
  const { outputsJson, prefix } = view.model.artifacts
  return outputsJson && prefix?.replace(/\.json$/, '') === 'outputs'
    ? conflict([view.name('artifacts.exportOutputsJson'), view.name('artifacts.prefix')], `${view.name('artifacts.exportOutputsJson')} writes outputs.json, the very file that ${view.name('artifacts.prefix')} ${prefix} names.`, 'Choose another prefix.')
    : undefined
}

const networkLatency: Rule = (view) => {
  const { automatic, meanMs } = view.model.networkLatency
  const enabled = view.name('networkLatency.enabled')
  const mean = view.given('networkLatency.mean')
  const interval = view.given('networkLatency.pingInterval')
  if (automatic && meanMs !== undefined) return conflict([enabled, mean!.name], `${enabled} measures what ${mean!.name} says is known.`, 'Give one of them.')
  return interval && interval.source !== 'variable' && !automatic ? conflict([interval.name, enabled], `${interval.name} has no effect without ${enabled}.`, `Give ${enabled} too, or drop ${interval.name}.`) : undefined
}

export const RESULT_RULES: readonly Rule[] = [goodput, artifactFolder, outputsClash, networkLatency]
