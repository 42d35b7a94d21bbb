import type { Json, JsonObject } from '../contracts/dataset.js'
import { isJsonObject } from '../json.js'
import { keyForm, substituted, type Fault, type Variables } from './normalise.js'

type Render = (template: string, names: Readonly<Record<string, unknown>>) => string

/** Fields whose text belongs to somebody else's templates, and sections that are rendered when a point is laid over. */
const RAW = new Set(['template', 'body', 'payloadtemplate', 'userfiles', 'records'])
const LATER = new Set(['sweep.runs'])

const isTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%')

/**
 * A config file's content with its `{{ templates }}` rendered. A template sees the variables by their names, the keys of
 * `benchmark` (lists of named items also by name), and `variables`. What it refers to may be a template itself.
 */
export function renderTemplates(content: JsonObject, render: Render | undefined, env: Variables): { content: JsonObject; faults: Fault[] } {
  const renderer = new Renderer(content, render ?? refuse, env)
  return { content: renderer.render(content, []) as JsonObject, faults: renderer.faults }
}

const refuse = (): never => {
  throw new Error('templates are rendered in YAML and JSON files alone')
}

class Renderer {
  readonly faults: Fault[] = []
  readonly #names: JsonObject
  /** Where each name stands in the file. */
  readonly #places = new Map<string, string[]>()
  /** Templates that are being rendered, outermost first: one that comes again would never end. */
  readonly #open: string[] = []

  constructor(
    content: JsonObject,
    private readonly renderText: Render,
    private readonly env: Variables,
  ) {
    const keyOf = (name: string) => Object.keys(content).find((key) => keyForm(key) === name)
    const [bodyKey, variablesKey] = [keyOf('benchmark'), keyOf('variables')]
    const body = bodyKey === undefined ? content : content[bodyKey]!
    const variables = variablesKey === undefined ? undefined : content[variablesKey]
    if (isJsonObject(body)) for (const name of Object.keys(body)) this.#places.set(name, bodyKey === undefined ? [name] : [bodyKey, name])
    if (isJsonObject(variables)) for (const name of Object.keys(variables)) this.#places.set(name, [variablesKey!, name])
    this.#names = { ...(isJsonObject(body) ? body : {}), ...(isJsonObject(variables) ? variables : {}), variables: variables ?? {}, benchmark: body }
  }

  render(value: Json, path: string[]): Json {
    const last = path.at(-1)
    if ((last !== undefined && RAW.has(keyForm(last))) || LATER.has(path.map(keyForm).join('.'))) return value
    if (typeof value === 'string') return isTemplate(value) ? this.#text(value, path) : value
    if (Array.isArray(value)) return value.map((item, i) => this.render(item, [...path, String(i)]))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.render(item, [...path, key])]))
  }

  #text(template: string, path: string[]): string {
    if (this.#open.includes(template)) {
      this.faults.push({ path, message: `refers to itself: ${[...this.#open, template].join(' → ')}` })
      return template
    }
    this.#open.push(template)
    const before = this.faults.length
    try {
      return this.renderText(template, this.#used(template))
    } catch (error) {
      // A name that cannot be rendered has said so already.
      if (this.faults.length === before) this.faults.push({ path, message: `cannot be rendered: ${reason(error as Error)}`, hint: `Known names: ${Object.keys(this.#names).join(', ')}.` })
      return template
    } finally {
      this.#open.pop()
    }
  }

  /** The names a template mentions: only those are worked out, so that it may stand in what it could refer to. */
  #used(template: string): Record<string, unknown> {
    const words = new Set(template.match(/[A-Za-z_][A-Za-z0-9_]*/g))
    return Object.fromEntries(Object.entries(this.#names).filter(([name]) => words.has(name)).map(([name, value]) => [name, this.#view(value, this.#places.get(name) ?? [name])]))
  }

  /** A value as a template sees it: what it asks for is rendered when it asks. */
  #view(value: Json, path: string[]): unknown {
    if (typeof value === 'string') {
      const plain = this.#environment(value, path)
      return isTemplate(value) ? this.#text(value, path) : plain
    }
    if (typeof value !== 'object' || value === null) return value
    const view: object = Array.isArray(value) ? [] : {}
    const show = (key: string, item: Json) => Object.defineProperty(view, key, { enumerable: true, configurable: true, get: () => this.#view(item, [...path, key]) })
    for (const [key, item] of Object.entries(value)) show(key, item)
    if (Array.isArray(value)) for (const item of value) if (isJsonObject(item) && typeof item['name'] === 'string') show(item['name'], item)
    return view
  }

  /** `${NAME}` of a value that is referred to: a number where the whole of it spells one. */
  #environment(text: string, path: string[]): Json {
    if (!text.includes('${')) return text
    const { text: found } = substituted(text, this.env, this.faults, path)
    return found
  }
}

/** The template engine's messages name its own files. */
const reason = (error: Error): string => error.message.replace(/^\(unknown path\)\s*/, '').replace(/\[Line \d+, Column \d+\]\s*/, '').replaceAll(/\s+/g, ' ').trim()
