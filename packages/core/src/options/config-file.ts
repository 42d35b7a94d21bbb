import type { Json, JsonObject } from '../contracts/dataset.js'
import type { Problem } from '../errors.js'
import { didYouMean, either } from '../host/nearest.js'
import { isJsonObject } from '../json.js'
import { shown, type Given } from './given.js'
import { check } from './json-schema.js'
import { keyForm, normalise, type Fault, type Variables } from './normalise.js'
import type { OptionEntry, OptionNode, OptionTable } from './table.js'
import { renderTemplates } from './templates.js'

/** A config file as it was read: plain JSON, and where in the file each key stands. */
export interface ConfigFile {
  /** As a person would write it. */
  name: string
  content: JsonObject
  /** Line of a key, from 1; undefined where the format has none. */
  lineOf(path: readonly string[]): number | undefined
  /** Renders a template over the names it uses; throws for a name that is not there. Absent: the file holds no template. */
  render?(template: string, names: Readonly<Record<string, unknown>>): string
}

/** A phase of a config file. Which options its keys are depends on its timing mode, so they are kept by path. */
export interface FilePhase {
  name: string
  kind: 'warmup' | 'profiling'
  values: Map<string, { value: Json; name: string; entries: readonly OptionEntry[] }>
}

export interface ParsedConfig {
  given: Given[]
  /** Undefined: the file says nothing of phases. */
  phases: FilePhase[] | undefined
  problems: Problem[]
}

/** Sections beside `benchmark` that another command reads. */
const ELSEWHERE = new Set(['plot'])
/** Versions of the form of a config file that are understood. */
const VERSIONS = new Set(['2', '2.0'])
const PHASE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/
/** Names that Windows keeps for devices: a phase's name becomes a folder. */
const DEVICE = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/i

/** Reads a config file's content into values. Keys may be written in snake or camel case; unknown ones are problems. */
export function parseConfig(file: ConfigFile, table: OptionTable, env: Variables): ParsedConfig {
  return new ConfigReader(file, table, env).read()
}

class ConfigReader {
  readonly #parsed: ParsedConfig = { given: [], phases: undefined, problems: [] }
  readonly #aliases = new Map<string, OptionEntry>()

  constructor(
    private readonly file: ConfigFile,
    private readonly table: OptionTable,
    private readonly env: Variables,
  ) {
    for (const entry of table.entries) for (const path of entry.schema.paths ?? []) this.#aliases.set(keyForm(path), entry)
  }

  read(): ParsedConfig {
    const content = this.#rendered()
    const nested = Object.keys(content).find((key) => keyForm(key) === 'benchmark')
    const body: JsonObject = {}
    for (const [key, value] of Object.entries(content)) {
      const form = keyForm(key)
      if (form === 'benchmark' || ELSEWHERE.has(form)) continue
      const known = [...this.table.envelope.children.keys()]
      if (known.some((name) => keyForm(name) === form)) this.#key(this.table.envelope, key, value, [key], [])
      else if (nested === undefined) body[key] = value
      else this.#problem([key], 'is not known here', didYouMean(key, ['benchmark', ...known]) || `Known: ${['benchmark', ...known, ...ELSEWHERE].join(', ')}.`)
      if (keyForm('schemaVersion') === form && !VERSIONS.has(String(value))) this.#problem([key], `is ${JSON.stringify(value)}; this program reads version 2.0`)
    }
    const inside = nested === undefined ? body : content[nested]
    if (!isJsonObject(inside)) this.#problem([nested!], 'must be a mapping')
    else this.#body(inside, nested === undefined ? [] : [nested])
    return this.#parsed
  }

  /** The content with its templates rendered. */
  #rendered(): JsonObject {
    const { content, faults } = renderTemplates(this.file.content, this.file.render, this.env)
    for (const fault of faults) this.#problem(fault.path, fault.message, fault.hint)
    return content
  }

  #body(body: JsonObject, at: string[]): void {
    const seen = new Map<string, string>()
    for (const [key, value] of Object.entries(body)) {
      const section = SECTIONS.get(keyForm(key)) ?? keyForm(key)
      const other = seen.get(section)
      if (other !== undefined && !(section === 'phases' && keyForm(other) !== 'phases' && keyForm(key) !== 'phases')) {
        this.#problem([...at, key], `and ${other} say the same thing; use one of them`)
        continue
      }
      seen.set(section, key)
      const place = [...at, key]
      if (section === 'models') this.#models(value, place)
      else if (section === 'dataset') this.#dataset(value, place)
      else if (section === 'phases') this.#phases(key, value, place)
      else this.#key(this.table.body, key, value, place, [])
    }
    const phases = this.#parsed.phases
    if (phases && !phases.some((phase) => phase.kind === 'profiling')) this.#problem([...at, 'phases'], 'needs at least one phase of kind profiling')
  }

  /** `models: [a, b]`, `model: a`, or `models: {strategy, items: [{name}]}`. */
  #models(value: Json, place: string[]): void {
    const named = (item: Json): Json => (isJsonObject(item) && typeof item['name'] === 'string' && Object.keys(item).length === 1 ? item['name'] : item)
    const list = isJsonObject(value) ? value['items'] : value
    if (isJsonObject(value) && value['strategy'] !== undefined) this.#key(this.table.body, 'modelSelection', value['strategy'], [...place, 'strategy'], [])
    this.#key(this.table.body, 'models', Array.isArray(list) ? list.map(named) : (list ?? null), place, [])
  }

  /** `dataset: {…}`, or `datasets: [{…}]` with exactly one item. `type: file` says nothing that `path` does not. */
  #dataset(value: Json, place: string[]): void {
    if (Array.isArray(value) && value.length !== 1) return this.#problem(place, `must hold exactly one dataset, it holds ${value.length}`)
    const dataset = Array.isArray(value) ? value[0]! : value
    const inside = Array.isArray(value) ? [...place, '0'] : place
    if (!isJsonObject(dataset)) return this.#problem(inside, 'must be a mapping')
    const node = this.table.body.children.get('dataset')!
    for (const [key, item] of Object.entries(dataset)) if (!(key === 'type' && (item === 'file' || item === 'public'))) this.#key(node, key, item, [...inside, key], ['dataset'])
  }

  #phases(key: string, value: Json, place: string[]): void {
    const phases = (this.#parsed.phases ??= [])
    const form = keyForm(key)
    if (form !== 'phases') {
      if (!isJsonObject(value)) return this.#problem(place, 'must be a mapping')
      const phase = this.#phase({ name: form, ...value }, place, form)
      if (phase) phases[form === 'warmup' ? 'unshift' : 'push'](phase)
      return
    }
    if (!Array.isArray(value)) return this.#problem(place, 'must be a list of phases, each with a name')
    for (const [i, item] of value.entries()) {
      const inside = [...place, String(i)]
      if (!isJsonObject(item)) this.#problem(inside, 'must be a mapping with a name')
      else {
        const phase = this.#phase(item, inside, String(item['name'] ?? i))
        if (!phase) continue
        const twin = phases.find((other) => other.name.toLowerCase() === phase.name.toLowerCase())
        if (twin) this.#problem([...inside, 'name'], `is ${JSON.stringify(phase.name)}, the name of another phase; names must differ, case does not count`)
        else phases.push(phase)
      }
    }
  }

  #phase(item: JsonObject, place: string[], label: string): FilePhase | undefined {
    const node = this.table.body.children.get('phases')!.children.get('*')!
    const values: FilePhase['values'] = new Map()
    for (const [key, value] of Object.entries(item)) {
      if (keyForm(key) === 'excludefromresults') continue
      this.#key(node, key, value, [...place, key], [], (entries, at, found, name) => values.set(at, { value: found, name, entries }), label)
    }
    const text = (key: string) => (typeof values.get(key)?.value === 'string' ? (values.get(key)!.value as string) : undefined)
    const name = text('name')
    if (name === undefined || !PHASE_NAME.test(name) || DEVICE.test(name)) {
      if (name === undefined || DEVICE.test(name)) this.#problem([...place, 'name'], name === undefined ? 'is missing: every phase has a name' : `is ${JSON.stringify(name)}, which Windows keeps for a device`)
      return undefined
    }
    const kind = text('kind') ?? (name === 'warmup' || name === 'profiling' ? name : undefined)
    if (kind !== 'warmup' && kind !== 'profiling') {
      this.#problem([...place, 'kind'], `is missing: only the names warmup and profiling say by themselves what the phase "${name}" is for`, 'Add kind: profiling or kind: warmup.')
      return undefined
    }
    const excluded = Object.entries(item).find(([key]) => keyForm(key) === 'excludefromresults')
    if (excluded && excluded[1] !== (kind === 'warmup')) this.#problem([...place, excluded[0]], `contradicts the kind ${kind}: warm-up is never part of the results, profiling always is`)
    values.delete('name')
    values.delete('kind')
    return { name, kind, values }
  }

  /** One key of a mapping: a group is gone into, a leaf becomes a value. */
  #key(node: OptionNode, key: string, value: Json, place: string[], path: string[], take?: (entries: readonly OptionEntry[], path: string, value: Json, name: string) => void, phase?: string): void {
    const form = keyForm(key)
    const alias = this.#aliases.get([...path.map(keyForm), form].join('.')) ?? (phase === undefined ? undefined : this.#aliases.get(`phases.*.${form}`))
    const name = [...node.children.keys()].find((known) => keyForm(known) === form)
    if (name === undefined && alias) return this.#leaf([alias], value, place, take, alias.path.split('.').slice(2).join('.'))
    if (name === undefined) {
      const known = [...node.children.keys()].filter((k) => k !== '*')
      return this.#problem(place, 'is not known here', didYouMean(key, known) || `Known: ${known.sort().join(', ')}.`)
    }
    const below = node.children.get(name)!
    const inner = [...path, name]
    if (below.children.size > 0 && isJsonObject(value)) for (const [k, item] of Object.entries(value)) this.#key(below, k, item, [...place, k], inner, take, phase)
    else if (below.entries.length > 0) this.#leaf(below.entries, value, place, take, inner.join('.'))
    else if (below.shorthand !== undefined && below.children.has(below.shorthand)) this.#leaf(below.children.get(below.shorthand)!.entries, value, place, take, [...inner, below.shorthand].join('.'))
    else this.#problem(place, `must be a mapping with ${either([...below.children.keys()])}`)
  }

  #leaf(entries: readonly OptionEntry[], value: Json, place: string[], take?: (entries: readonly OptionEntry[], path: string, value: Json, name: string) => void, path = ''): void {
    const entry = entries[0]!
    if (value === null && !entry.schema.anyOf) return
    const faults: Fault[] = []
    const found = normalise(entry.schema, value, this.env, faults)
    for (const fault of faults) this.#problem([...place, ...fault.path], fault.message, fault.hint)
    if (faults.length > 0) return
    const issues = check(entry.schema, found)
    for (const issue of issues) this.#problem([...place, ...issue.path.map(String)], `${issue.message}${issue.got === undefined ? '' : `, got ${shown(issue.got, entry.schema)}`}`)
    if (issues.length > 0) return
    const name = this.#place(place)
    if (take) take(entries, path, found, name)
    else this.#parsed.given.push({ entry, warmup: false, value: found, source: 'file', name })
  }

  /** `endpoint.urls (run.yaml:4)`. */
  #place(path: readonly string[]): string {
    const line = this.file.lineOf(path)
    return `${path.join('.')} (${this.file.name}${line === undefined ? '' : `:${line}`})`
  }

  #problem(path: readonly string[], message: string, hint?: string): void {
    const name = this.#place(path)
    this.#parsed.problems.push({ flags: [name], message: `${name} ${message}.`, ...(hint ? { hint } : {}) })
  }
}

/** Spellings of the sections that have several. */
const SECTIONS = new Map([
  ['model', 'models'], ['models', 'models'],
  ['dataset', 'dataset'], ['datasets', 'dataset'],
  ['warmup', 'phases'], ['profiling', 'phases'], ['phases', 'phases'],
])
