import type { JsonObject } from '../contracts/dataset.js'
import type { TelemetryMeta } from '../contracts/telemetry.js'
import type { Problem } from '../errors.js'
import { contributionsOf } from '../host/find.js'
import { plain } from '../host/nearest.js'
import type { IndexedContribution, PluginIndex } from '../host/plugin-index.js'
import type { Kind } from '../kinds.js'
import type { Chosen } from './chosen.js'
import type { ModelParts } from './model.js'
import type { ResolvedPhase } from './phases.js'
import type { RunView } from './run-view.js'
import { optionsFor, rawOptions } from './selection.js'
import { setAt } from './table.js'

/** A contribution that takes part, with options that keep its schema: it may have more to say of them. */
export interface Checkable {
  kind: Kind
  name: string
  options: JsonObject
}
const CHECKED: ReadonlySet<Kind> = new Set(['endpoint', 'transport', 'dataset_loader', 'accuracy_benchmark', 'accuracy_grader'])

/** The options of every contribution that takes part, by default where nothing was set. What is wrong is added to `problems`. */
export function modelParts({ index, table, chosen, selection }: Pick<RunView, 'index' | 'table' | 'chosen' | 'selection'>, phases: readonly ResolvedPhase[], interactive: boolean, problems: Problem[]): ModelParts & { checkable: Checkable[] } {
  const checkable: Checkable[] = []
  const optionsOf = (contribution: Parameters<typeof optionsFor>[2] | undefined): JsonObject => {
    if (!contribution) return {}
    const completed = optionsFor(table, chosen, contribution)
    problems.push(...completed.problems)
    if (completed.problems.length === 0 && CHECKED.has(contribution.kind)) checkable.push({ kind: contribution.kind, name: contribution.name, options: completed.options })
    return completed.options
  }
  const everyOf = (kind: 'exporter' | 'metric' | 'tokenizer') => contributionsOf(index, kind).filter((c) => c.options && !c.problem)
  const datasetOptions = selection.loader ? optionsOf(selection.loader) : {}
  if (!selection.loader && !selection.benchmark) for (const [path, value] of rawOptions(chosen, 'dataset_loader', 'dataset')) setAt(datasetOptions, path, value)
  const telemetry: ModelParts['telemetry'] = {}
  for (const source of contributionsOf(index, 'telemetry_source')) {
    const asked = [...chosen.values()].some((g) => g.entry.owners.some((o) => o.contribution === source))
    const options = source.problem && !asked ? {} : optionsOf(source)
    if (!isSampled(source, options, asked)) continue
    if (!source.problem) telemetry[source.name] = options
    else if (asked) problems.push({ code: 'E_PLUGIN_LOAD', flags: [], message: `The telemetry source ${source.name} of ${source.package} cannot be used: ${source.problem}.` })
  }
  for (const [contribution, clash] of table.clashes)
    if (contribution === selection.endpoint || contribution === selection.transport || contribution === selection.loader || contribution === selection.benchmark || contribution === selection.grader || phases.some((p) => p.choice.mode === contribution))
      problems.push({ code: 'E_PLUGIN_LOAD', flags: [], message: `${contribution.name} of ${contribution.package} cannot be used: ${clash}.`, hint: `Upgrade or remove ${contribution.package}.` })
  return {
    checkable,
    phases: phases.map((phase) => phase.model),
    endpointOptions: optionsOf(selection.endpoint),
    transportOptions: optionsOf(selection.transport),
    tokenizerOptions: selection.tokenizer ? optionsOf(selection.tokenizer) : Object.assign({}, ...everyOf('tokenizer').map(optionsOf)),
    datasetOptions,
    exporterOptions: Object.fromEntries(everyOf('exporter').map((c) => [c.name, optionsOf(c)])),
    metricOptions: Object.fromEntries(everyOf('metric').map((c) => [c.name, optionsOf(c)])),
    telemetry,
    loader: selection.loader,
    ...(selection.benchmark && selection.grader ? { accuracy: { benchmark: selection.benchmark, options: optionsOf(selection.benchmark), grader: selection.grader, graderOptions: optionsOf(selection.grader) } } : {}),
    ui: uiOf(index, interactive, chosen),
  }
}

/** Named in the list that selects it, or on by default and not switched off, or asked for by an option of its own. */
function isSampled({ name, meta }: IndexedContribution, options: JsonObject, asked: boolean): boolean {
  const { selectedBy, aliases = [], onByDefault } = meta as unknown as TelemetryMeta
  if (options['enabled'] === false || options['disabled'] === true) return false
  const items = selectedBy === undefined ? undefined : options[selectedBy]
  if (Array.isArray(items) && items.some((item) => [name, ...aliases].some((word) => plain(word) === plain(String(item))))) return true
  return onByDefault === true || (selectedBy === undefined && asked)
}

/** The dashboard where somebody can see it, else plain lines, else nothing. */
function uiOf(index: PluginIndex, interactive: boolean, chosen: Chosen): string {
  const asked = chosen.at('ui.type')?.value as string | undefined
  const has = (name: string) => contributionsOf(index, 'ui').some((c) => c.name === name && !c.problem)
  const standard = interactive && has('dashboard') ? 'dashboard' : has('simple') ? 'simple' : 'none'
  if (asked === undefined) return standard
  return asked === 'dashboard' && !interactive ? (has('simple') ? 'simple' : 'none') : asked
}
