import { ConfigurationError, type EncodeInput, type Json, type JsonObject, type MediaItem, type Turn } from '@aiperf/core'
import { existsSync, readFileSync } from 'node:fs'
import { encodeError, lastTurn } from './turn.js'

const BUILT_IN: Readonly<Record<string, string>> = { 'nv-embedqa': '{"text": {{ texts | tojson }}}' }

/** Renders the body of a request. */
export type BodyTemplate = (variables: JsonObject) => Json

/** Compiles a template given as text, file or built-in name. Nothing is escaped: a text is sent as it is. */
export async function bodyTemplate(source: string): Promise<BodyTemplate> {
  const text = BUILT_IN[source] ?? (source.length < 4096 && !source.includes('{') && existsSync(source) ? readFileSync(source, 'utf8') : source)
  const { default: nunjucks } = await import('nunjucks')
  nunjucks.installJinjaCompat()
  const environment = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: false })
  environment.addFilter('tojson', (value: unknown) => JSON.stringify(value ?? null))
  // Missing from the package's types.
  ;(environment as unknown as { addTest(name: string, test: (value: unknown) => boolean): void }).addTest('none', (value) => value === null || value === undefined)
  for (const [name, value] of [['True', true], ['False', false], ['None', null]] as const) environment.addGlobal(name, value)
  let template: { render(context: object): string }
  try {
    template = new nunjucks.Template(text, environment, 'payload template', true)
  } catch (error) {
    throw new ConfigurationError([{ flags: ['endpoint.options.payloadTemplate'], message: `The payload template cannot be used: ${firstLine(error)}`, hint: 'Jinja2 expressions, filters, if and for are understood; write texts as {{ text | tojson }}.' }])
  }
  return (variables) => {
    const rendered = renderOf(template, variables)
    try {
      return JSON.parse(rendered) as Json
    } catch (error) {
      throw encodeError(`the payload template renders to no JSON (${(error as Error).message}): ${JSON.stringify(rendered.slice(0, 200))}`, 'write texts as {{ text | tojson }}, without quotes around')
    }
  }
}

function renderOf(template: { render(context: object): string }, variables: JsonObject): string {
  try {
    return template.render(variables)
  } catch (error) {
    throw encodeError(`the payload template fails: ${firstLine(error)}`)
  }
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n').map((line) => line.trim()).filter((line) => line !== '').join(' ')
}

/** What a template can use. */
export function templateVariables(input: EncodeInput, model: string, stream: boolean): JsonObject {
  const turn = lastTurn(input)
  const texts = named(turn.texts)
  const images = named(turn.images)
  const audios = named(turn.audios)
  const videos = named(turn.videos)
  const queries = [...(texts.byName['query'] ?? []), ...(texts.byName['queries'] ?? [])]
  const passages = [...(texts.byName['passage'] ?? []), ...(texts.byName['passages'] ?? [])]
  return {
    texts: texts.all, images: images.all, audios: audios.all, videos: videos.all,
    text: first(texts.all), image: first(images.all), audio: first(audios.all), video: first(videos.all),
    query: first(queries), queries, passage: first(passages), passages,
    texts_by_name: texts.byName, images_by_name: images.byName, audios_by_name: audios.byName, videos_by_name: videos.byName,
    model, stream,
    max_tokens: turn.maxTokens ?? null,
    role: turn.role ?? null,
    turn: wire(turn),
    turns: input.turns.map(wire),
    request_info: { model, turns: input.turns.map(wire), system_message: input.session.system ?? null, user_context_message: input.session.userContext ?? null },
  }
}

function named(items: readonly MediaItem[] | undefined): { all: string[]; byName: Record<string, string[]> } {
  const byName: Record<string, string[]> = {}
  for (const { name, contents } of items ?? []) if (name) (byName[name] ??= []).push(...contents)
  return { all: (items ?? []).flatMap((item) => item.contents), byName }
}

function first(values: readonly string[]): string | null {
  return values[0] ?? null
}

/** A turn with the names that datasets use. */
function wire(turn: Turn): JsonObject {
  const { texts, images, audios, videos, role, model, maxTokens } = turn
  return { texts: texts ?? [], images: images ?? [], audios: audios ?? [], videos: videos ?? [], role: role ?? null, model: model ?? null, max_tokens: maxTokens ?? null } as unknown as JsonObject
}
