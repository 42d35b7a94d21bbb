import type { AccuracyBenchmarkMeta } from '../contracts/accuracy.js'
import { readsFiles, type Json, type JsonObject } from '../contracts/dataset.js'
import type { Problem } from '../errors.js'
import { contributionsOf, lookUp } from '../host/find.js'
import { either, plain } from '../host/nearest.js'
import type { IndexedContribution, PluginIndex } from '../host/plugin-index.js'
import type { Kind } from '../kinds.js'
import type { Chosen } from './chosen.js'
import { completeOptions } from './contribution-options.js'
import type { Given } from './given.js'
import type { JsonSchema } from './json-schema.js'
import { mountOf, PHASE, type OptionTable } from './table.js'

/** The contributions a run uses, as far as it can be told before the run. */
export interface Selection {
  endpoint?: IndexedContribution
  transport?: IndexedContribution
  /** Undefined: the format is found by looking at the file when it is loaded. */
  loader?: IndexedContribution
  tokenizer?: IndexedContribution
  /** Problems are asked instead of a dataset, and their answers graded. */
  benchmark?: IndexedContribution
  grader?: IndexedContribution
}

const SYNTHETIC = 'synthetic'

/** Puts the name a contribution has itself in place of the one that was written; unknown names are problems. */
export function resolveNames(index: PluginIndex, given: Iterable<Given>): Problem[] {
  const problems: Problem[] = []
  for (const item of given) {
    const kind = item.entry.schema.contribution
    if (!kind || typeof item.value !== 'string' || item.entry.path === `${PHASE}.type`) continue
    const found = lookUp(index, kind, item.value)
    if ('contribution' in found && !fits(item.entry.schema, found.contribution)) problems.push(unfit(item, found.contribution, index))
    else if ('contribution' in found) item.value = item.value.includes(':') ? `${found.contribution.package}:${found.contribution.name}` : found.contribution.name
    else if (!(kind === 'dataset_loader' && item.value === 'auto')) problems.push({ ...found.problem, flags: [item.name], message: `${item.name}: ${found.problem.message}` })
  }
  return problems
}

/** Whether a contribution is one of those that the option names. */
const fits = ({ where = {} }: JsonSchema, { meta }: IndexedContribution): boolean => Object.entries(where).every(([key, values]) => meta[key] === undefined || values.includes(String(meta[key])))

/** Names that an option for contributions may hold. */
export const namesFor = (schema: JsonSchema, index: PluginIndex): string[] => [...new Set(contributionsOf(index, schema.contribution!).filter((c) => fits(schema, c)).map((c) => c.name))]

function unfit(given: Given, found: IndexedContribution, index: PluginIndex): Problem {
  const selector = SELECTOR[found.kind]
  return {
    flags: [given.name, ...(selector ? [selector] : [])],
    message: `${given.name}: the ${found.kind.replaceAll('_', ' ')} ${found.name} is none of its choices.`,
    hint: `Choices: ${few(namesFor(given.entry.schema, index))}.${selector ? ` Or use ${selector} ${found.name}.` : ''}`,
  }
}

/** The contributions that the values choose. A name that was given and does not exist was reported before. */
export function select(index: PluginIndex, chosen: Chosen): { selection: Selection; problems: Problem[] } {
  const problems: Problem[] = []
  const named = (kind: Kind, name: Json | undefined, standard?: string): IndexedContribution | undefined => {
    const wanted = name ?? standard
    if (typeof wanted !== 'string') return undefined
    const found = lookUp(index, kind, wanted)
    if ('contribution' in found) return found.contribution
    if (name === undefined) problems.push(found.problem)
    return undefined
  }
  const selection: Selection = {}
  const put = (key: keyof Selection, found: IndexedContribution | undefined) => {
    if (found) selection[key] = found
  }
  put('endpoint', named('endpoint', chosen.at('endpoint.type')?.value, 'chat'))
  put('transport', named('transport', chosen.at('transport.type')?.value, 'http'))
  const type = (chosen.at('dataset.type') ?? chosen.at('dataset.publicDataset'))?.value
  const hasSource = chosen.at('dataset.path') !== undefined || chosen.at('dataset.records') !== undefined
  const benchmark = named('accuracy_benchmark', chosen.at('accuracy.benchmark')?.value)
  put('benchmark', benchmark)
  if (benchmark) put('grader', named('accuracy_grader', chosen.at('accuracy.grader')?.value, (benchmark.meta as unknown as AccuracyBenchmarkMeta).defaultGrader))
  else put('loader', named('dataset_loader', type, hasSource ? undefined : SYNTHETIC))
  const tokenizer = chosen.at('tokenizer.name')?.value
  if (typeof tokenizer === 'string')
    put('tokenizer', contributionsOf(index, 'tokenizer').find((c) => [c.name, ...((c.meta['names'] as string[] | undefined) ?? [])].some((name) => plain(name) === plain(tokenizer))))
  return { selection, problems }
}

/** The option that chooses a contribution of a kind. */
const SELECTOR: Partial<Record<Kind, string>> = { endpoint: '--endpoint-type', transport: '--transport', dataset_loader: '--custom-dataset-type', tokenizer: '--tokenizer', accuracy_benchmark: '--accuracy-benchmark', accuracy_grader: '--accuracy-grader' }

/** Options of endpoint types, transports, loaders and tokenizers that this run does not use. */
export function misplacedOptions(chosen: Chosen, selection: Selection): Problem[] {
  const problems: Problem[] = []
  for (const given of chosen.values()) {
    const owners = given.entry.owners.map((o) => o.contribution)
    const kind = owners[0]?.kind
    if (kind === undefined || kind === 'timing_mode' || owners.some((o) => applies(o, selection))) continue
    const selector = SELECTOR[kind]
    const used = usedFor(kind, selection)
    const by = chooserOf(kind, chosen)
    const names = few(owners.map((o) => o.name).sort())
    problems.push({
      flags: [given.name, ...by],
      message: `${given.name} is an option of the ${kind.replaceAll('_', ' ')} ${names}${by.length > 0 ? ` and cannot be combined with ${by.join(' and ')}` : ''}; this run uses ${used?.name ?? (kind === 'dataset_loader' ? 'a dataset file' : 'none')}.`,
      hint: `Drop ${given.name}, or ${kind === 'dataset_loader' && selection.benchmark ? `drop ${by.join(' and ')}` : `choose ${names}${selector === undefined ? '' : ` with ${selector}`}`}.`,
    })
  }
  return problems
}

function usedFor(kind: Kind, { endpoint, transport, loader, tokenizer, benchmark, grader }: Selection): IndexedContribution | undefined {
  const used: Partial<Record<Kind, IndexedContribution | undefined>> = { endpoint, transport, dataset_loader: loader ?? benchmark, tokenizer, accuracy_benchmark: benchmark, accuracy_grader: grader }
  return used[kind]
}

const SHOWN = 3
/** `a, b, c or 12 others`. */
const few = (names: readonly string[]): string => either(names.length > SHOWN + 1 ? [...names.slice(0, SHOWN), `${names.length - SHOWN} others`] : names)

function applies(owner: IndexedContribution, selection: Selection): boolean {
  switch (owner.kind) {
    case 'endpoint':
      return owner === selection.endpoint
    case 'transport':
      return owner === selection.transport
    case 'dataset_loader':
      // Of a file whose format is not known yet, the options of every file format may be meant.
      return selection.loader === undefined ? !selection.benchmark && readsFiles(owner.meta) : owner === selection.loader
    case 'tokenizer':
      return selection.tokenizer === undefined || owner === selection.tokenizer
    case 'accuracy_benchmark':
      return owner === selection.benchmark
    case 'accuracy_grader':
      return owner === selection.grader
    default:
      return true
  }
}

function chooserOf(kind: Kind, chosen: Chosen): string[] {
  const paths =
    kind === 'dataset_loader' ? ['accuracy.benchmark', 'dataset.path', 'dataset.type', 'dataset.publicDataset', 'dataset.records']
    : kind === 'tokenizer' ? ['tokenizer.name']
    : kind === 'accuracy_benchmark' || kind === 'accuracy_grader' ? [kind.replace('_', '.')]
    : [`${kind}.type`]
  return paths.flatMap((path) => chosen.at(path)?.name ?? [])
}

/** Options of one contribution of the run, from the values that were given for it. */
export function optionsFor(table: OptionTable, chosen: Chosen, contribution: IndexedContribution): { options: JsonObject; problems: Problem[] } {
  const mount = mountOf(contribution)
  if (mount === undefined) return { options: {}, problems: [] }
  const values = new Map<string, { value: Json; name: string }>()
  for (const given of chosen.values())
    if (given.entry.owners.some((o) => o.contribution === contribution)) values.set(given.entry.path.slice(mount.length + 1), { value: given.value, name: given.name })
  return completeOptions(table, contribution, mount, values)
}

/** Values given for options of a kind, by path, where no single contribution is chosen yet. */
export function rawOptions(chosen: Chosen, kind: Kind, mount: string): [path: string, value: Json][] {
  return [...chosen.values()].filter((g) => g.entry.owners.some((o) => o.contribution.kind === kind)).map((g) => [g.entry.path.slice(mount.length + 1), g.value])
}
