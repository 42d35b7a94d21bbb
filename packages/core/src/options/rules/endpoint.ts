import { existsSync } from 'node:fs'
import type { EndpointMeta } from '../../contracts/endpoint.js'
import { withoutUserInfo } from '../../secrets.js'
import { conflict, type Rule, type RunView } from '../run-view.js'

const noModel: Rule = ({ model }) =>
  model.models.length === 0 ? conflict(['--model'], '--model is missing: the name of the model to ask for.', 'Give --model NAME, as the server calls it.') : undefined

/** Checks what a URL parser would quietly mend. */
const urls: Rule = (view) => {
  const name = view.name('endpoint.urls')
  const schemes = (view.selection.transport?.meta['schemes'] as string[] | undefined) ?? ['http', 'https']
  return view.model.endpoint.urls.flatMap((url) => {
    const shown = JSON.stringify(withoutUserInfo(url))
    const wrong = (reason: string, hint: string) => [conflict([name], `${name} ${reason}, got ${shown}.`, hint)]
    const example = 'A URL looks like http://host:8000.'
    if (/\s/.test(url)) return wrong('must not hold white space', example)
    const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase()
    if (scheme === undefined) return wrong('has no host', example)
    if (!schemes.includes(scheme)) return wrong(`has the scheme ${scheme}, which the transport does not speak; it must be ${schemes.join(' or ')}`, example)
    const host = /^[^/]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)(?::([^/?#]*))?/.exec(url)
    if (!host?.[1] || host[1] === '[]') return wrong('has no host', example)
    if (host[2] !== undefined && (!/^\d+$/.test(host[2]) || Number(host[2]) < 1 || Number(host[2]) > 65_535)) return wrong('must have a port from 1 to 65535', example)
    return URL.canParse(url) ? [] : wrong('is no URL', example)
  })
}

const customPath: Rule = (view) => {
  const given = view.given('endpoint.path')
  return given && !String(given.value).startsWith('/') ? conflict([given.name], `${given.name} must begin with a slash, got ${JSON.stringify(given.value)}.`, `Write /${String(given.value)}.`) : undefined
}

const perChunkUsage: Rule = (view) => {
  const { endpoint } = view.model
  if (!endpoint.perChunkUsage) return undefined
  const name = view.name('endpoint.perChunkUsage')
  const needs = (other: string) => conflict([name, other], `${name} needs ${other}.`, `Give ${other} too, or drop ${name}.`)
  return [
    ...(endpoint.useServerTokenCount ? [] : [needs('--use-server-token-count')]),
    ...(endpoint.streaming ? [] : [needs('--streaming')]),
    ...(endpoint.type === 'chat' ? [] : [conflict([name, '--endpoint-type'], `${name} works with the endpoint type chat only, got ${endpoint.type}.`)]),
  ]
}

/** The stored state of a stateful API counts as input on the server, not in the body that is sent. */
const storedResponses: Rule = (view) => {
  const { endpoint } = view.model
  if (endpoint.type !== 'responses' || !endpoint.extraInputs['store'] || endpoint.useServerTokenCount) return undefined
  return conflict(['--extra-inputs', '--use-server-token-count'], '--extra-inputs store:true keeps the conversation on the server, so the input length cannot be counted from what is sent.', 'Give --use-server-token-count too.')
}

const waiting: Rule = (view) => {
  if (view.model.endpoint.waitForModel.timeoutSeconds > 0) return undefined
  return ['endpoint.waitForModelMode', 'endpoint.waitForModelInterval'].flatMap((path) => {
    const given = view.given(path)
    return given ? [conflict([given.name, '--wait-for-model-timeout'], `${given.name} has no effect while --wait-for-model-timeout is 0.`, 'Give --wait-for-model-timeout too.')] : []
  })
}

/** The hooks go to the server's origin: a path, not a URL. */
const hookPaths: Rule = (view) =>
  ['endpoint.resetKvCache.path', 'endpoint.serverProfiler.startPath', 'endpoint.serverProfiler.stopPath'].flatMap((path) => {
    const given = view.given(path)
    const text = String(given?.value ?? '/')
    return given && (!text.startsWith('/') || text.includes('://')) ? [conflict([given.name], `${given.name} must be a path that begins with a slash, got ${JSON.stringify(text)}.`)] : []
  })

/** A timeout of something that never happens. */
const hookTimeouts: Rule = (view) =>
  [
    ['endpoint.resetKvCache.timeout', view.model.endpoint.resetKvCache, '--reset-kv-cache'],
    ['endpoint.serverProfiler.timeout', view.model.endpoint.serverProfiler, '--server-profiler'],
  ].flatMap(([path, hook, flag]) => {
    const given = view.given(path as string)
    return given && hook === undefined ? [conflict([given.name, flag as string], `${given.name} has no effect without ${String(flag)}.`, `Give ${String(flag)} too.`)] : []
  })

const tlsFile: Rule = (view) => {
  const given = view.given('endpoint.tls.ca')
  return given && !existsSync(String(given.value)) ? conflict([given.name], `${given.name}: the file ${String(given.value)} does not exist.`) : undefined
}

const meta = (view: RunView): EndpointMeta | undefined => view.selection.endpoint?.meta as unknown as EndpointMeta | undefined

/** An endpoint without text on either side has no use for a tokenizer. */
const tokenizerUnused: Rule = (view) => {
  const endpoint = meta(view)
  if (!endpoint || endpoint.tokenizesInput || endpoint.producesTokens) return undefined
  return [...view.chosen.values()]
    .filter((given) => given.entry.path.startsWith('tokenizer.') || given.entry.path.startsWith('dataset.prompts.'))
    .map((given) => conflict([given.name, '--endpoint-type'], `${given.name} has no effect: the endpoint type ${view.model.endpoint.type} takes and makes no text tokens.`, `Drop ${given.name}.`))
}

export const ENDPOINT_RULES: readonly Rule[] = [noModel, urls, customPath, perChunkUsage, storedResponses, waiting, hookPaths, hookTimeouts, tlsFile, tokenizerUnused]
