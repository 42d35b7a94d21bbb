import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Contribution } from '../contracts/define.js'
import type { JsonObject } from '../contracts/dataset.js'
import { AiperfError, type Problem } from '../errors.js'
import type { Kind } from '../kinds.js'
import { contributionToken, newContainer, TOKENS, type DependencyContainer } from './container.js'
import { find } from './find.js'
import type { ContextOf, ThingOf } from './kind-types.js'
import { apiProblem } from './package-reader.js'
import type { IndexedContribution, PluginIndex } from './plugin-index.js'
import { contributionFault, thingFault } from './shape.js'

/** Brings contributions to life: imports the one module that is asked for, checks it, and creates the thing. */
export interface Host {
  readonly index: PluginIndex
  /** The contribution a name stands for. Throws `E_PLUGIN_UNKNOWN`, `E_PLUGIN_AMBIGUOUS` or `E_PLUGIN_LOAD`. */
  find(kind: Kind, name: string): IndexedContribution
  /** Imports its module (once), without creating anything. */
  load(kind: Kind, name: string): Promise<Contribution>
  /** The `check` that its module exports beside the contribution: rules between its options. */
  checkOf(kind: Kind, name: string): Promise<((options: JsonObject) => readonly Problem[]) | undefined>
  /** Creates a new thing. Every fault is an error that names the package. */
  activate<K extends Kind>(kind: K, name: string, context: ContextOf<K>): Promise<ThingOf<K>>
  /** A host below this one (root → run → thread) that knows what this one knows, and `values` besides. */
  scope(values?: Readonly<Record<symbol, unknown>>): Host
  /** A value registered here or above. Throws when there is none. */
  get<T>(token: symbol): T
}

export function createHost(index: PluginIndex, values: Readonly<Record<symbol, unknown>> = {}): Host {
  return hostOver(index, newContainer(), { ...values, [TOKENS.index]: index })
}

function hostOver(index: PluginIndex, container: DependencyContainer, values: Readonly<Record<symbol, unknown>>): Host {
  for (const token of Object.getOwnPropertySymbols(values)) container.register(token, { useValue: values[token] })

  async function loaded(found: IndexedContribution): Promise<Contribution> {
    const { default: contribution } = (await importEntry(found)) as { default?: unknown }
    const fault = contributionFault(contribution, found.kind)
    if (fault) throw blame(found, 'E_PLUGIN_SHAPE', `${found.entry} ${fault}`)
    const { api } = contribution as Contribution
    const mismatch = apiProblem(api)
    if (mismatch) throw blame(found, 'E_PLUGIN_API', mismatch)
    return contribution as Contribution
  }

  return {
    index,
    find: (kind, name) => find(index, kind, name),
    load: async (kind, name) => loaded(find(index, kind, name)),
    async checkOf(kind, name) {
      const found = find(index, kind, name)
      // The program's own modules are known to load; those of others are tried here, before a thread needs them.
      if (found.checks === false && index.packages.some((p) => p.name === found.package && p.origin === 'bundled')) return undefined
      await loaded(found)
      const { check } = (await importEntry(found)) as { check?: (options: JsonObject) => readonly Problem[] }
      return typeof check === 'function' ? check : undefined
    },
    async activate<K extends Kind>(kind: K, name: string, context: ContextOf<K>): Promise<ThingOf<K>> {
      const found = find(index, kind, name)
      // Resolving is synchronous, so the module is imported before its factory is registered.
      const contribution = await loaded(found)
      const token = contributionToken(found.package, kind, found.name)
      if (!container.isRegistered(token, true))
        container.register(token, { useFactory: () => (given: unknown) => contribution.create(given as never) })
      const create = container.resolve<(given: unknown) => unknown>(token)
      let thing: unknown
      try {
        thing = await timeLimited(found, 'its create did not end', create(context))
      } catch (error) {
        if ((error as Error)?.name === 'AiperfError') throw error
        throw blame(found, 'E_PLUGIN_LOAD', `it failed to start: ${firstSentence(error)}`, error)
      }
      const fault = thingFault(thing, kind)
      if (fault) throw blame(found, 'E_PLUGIN_SHAPE', `${found.entry} ${fault}`)
      return thing as ThingOf<K>
    },
    scope: (more = {}) => hostOver(index, newContainer(container), more),
    get: <T>(token: symbol) => container.resolve<T>(token),
  }
}

async function importEntry(found: IndexedContribution): Promise<unknown> {
  try {
    return await timeLimited(found, `importing ${found.entry} did not end`, import(pathToFileURL(found.entry).href))
  } catch (error) {
    if ((error as Error)?.name === 'AiperfError') throw error
    if (!existsSync(found.entry)) throw blame(found, 'E_PLUGIN_LOAD', `${found.entry} does not exist: the package was not built (npm run build), or "files" of its package.json leaves it out`, error)
    throw blame(found, 'E_PLUGIN_LOAD', `${found.entry} cannot be imported: ${firstSentence(error)}`, error)
  }
}

/** Seconds that a plugin may take to be imported or created. A tokenizer may have to be downloaded. */
const LIMIT_SECONDS = 60
const TOKENIZER_LIMIT_SECONDS = 1800

/** A plugin that hangs must not hang the run. */
async function timeLimited<T>(found: IndexedContribution, what: string, pending: T | Promise<T>): Promise<T> {
  if (typeof (pending as Promise<T> | undefined)?.then !== 'function') return pending
  const seconds = Number(process.env['AIPERF_PLUGIN_TIMEOUT']) || (found.kind === 'tokenizer' ? TOKENIZER_LIMIT_SECONDS : LIMIT_SECONDS)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(blame(found, 'E_PLUGIN_LOAD', `${what} within ${seconds} s (AIPERF_PLUGIN_TIMEOUT)`)), seconds * 1000)
  })
  try {
    return await Promise.race([pending, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What an error says, to stand within a sentence of ours: its other lines explain Node, not the plugin. */
const firstSentence = (error: unknown): string => String((error as Error)?.message ?? error).split('\n', 1)[0]!.replace(/\.$/, '')

function blame(found: IndexedContribution, code: 'E_PLUGIN_LOAD' | 'E_PLUGIN_API' | 'E_PLUGIN_SHAPE', reason: string, cause?: unknown): AiperfError {
  const hint = code === 'E_PLUGIN_API' ? undefined : `This is a fault of ${found.package}. Upgrade or remove it, or choose another ${found.kind.replaceAll('_', ' ')}.`
  return new AiperfError(code, `The ${found.kind.replaceAll('_', ' ')} "${found.name}" of ${found.package} ${found.version}: ${reason}.`, {
    ...(hint === undefined ? {} : { hint }),
    cause,
  })
}
