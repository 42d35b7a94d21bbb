import type { Json, JsonObject } from '@aiperf/core'
import { arrayOf, objectOf, stringOf } from '../decode/json.js'

/**
 * The texts of a request body that a server tokenizes as input, in order: instructions, messages with their tool calls,
 * tool schemas, and the flat fields of other APIs. Works on the body that was sent, whatever made it.
 */
export function inputTexts(body: Json): string[] {
  const root = objectOf(body)
  const texts: string[] = []
  if (root === undefined) return texts
  add(texts, stringOf(root['instructions']))
  addContent(texts, root['system'])
  for (const message of arrayOf(root['messages'])) addItem(texts, message)
  addFlat(texts, root['prompt'])
  addInput(texts, root['input'])
  addQuery(texts, root['query'])
  for (const key of ['passages', 'documents', 'texts', 'inputs', 'text']) addFlat(texts, root[key])
  for (const tool of arrayOf(root['tools'])) addTool(texts, tool)
  return texts
}

function add(texts: string[], text: string): void {
  if (text !== '') texts.push(text)
}

/** `input`: a text, texts, or the items of the Responses API. */
function addInput(texts: string[], input: Json | undefined): void {
  if (typeof input === 'string') return add(texts, input)
  for (const item of arrayOf(input)) {
    if (typeof item === 'string') add(texts, item)
    else addItem(texts, item)
  }
}

/** A message, or an item of the Responses API. */
function addItem(texts: string[], item: Json): void {
  const message = objectOf(item)
  if (message === undefined) return
  addContent(texts, message['content'])
  addContent(texts, message['output'])
  for (const call of arrayOf(message['tool_calls'])) addCall(texts, objectOf(objectOf(call)?.['function']))
  addCall(texts, objectOf(message['function_call']))
  if (message['type'] === 'function_call') addCall(texts, message)
}

function addCall(texts: string[], called: JsonObject | undefined): void {
  if (called === undefined) return
  add(texts, stringOf(called['name']))
  const given = called['arguments']
  if (given !== undefined && given !== null) add(texts, typeof given === 'string' ? given : JSON.stringify(given))
}

/** A text, or parts, of which those with text count; tool use and results of the Messages API included. */
function addContent(texts: string[], content: Json | undefined): void {
  if (typeof content === 'string') return add(texts, content)
  for (const item of arrayOf(content)) {
    if (typeof item === 'string') {
      add(texts, item)
      continue
    }
    const part = objectOf(item)
    if (part === undefined) continue
    add(texts, stringOf(part['text']))
    add(texts, stringOf(part['thinking']))
    if (part['type'] === 'tool_use') {
      add(texts, stringOf(part['name']))
      if (part['input'] !== undefined) add(texts, JSON.stringify(part['input']))
    } else if (part['type'] === 'tool_result') addContent(texts, part['content'])
  }
}

/** A tool in the nested form of chat completions or the flat one of the other APIs. */
function addTool(texts: string[], tool: Json): void {
  const outer = objectOf(tool)
  const schema = objectOf(outer?.['function']) ?? outer
  if (schema === undefined) return
  add(texts, stringOf(schema['name']))
  add(texts, stringOf(schema['description']))
  const parameters = schema['parameters'] ?? schema['input_schema']
  if (parameters !== undefined && parameters !== null) add(texts, JSON.stringify(parameters))
}

function addQuery(texts: string[], query: Json | undefined): void {
  if (Array.isArray(query)) addFlat(texts, query)
  else add(texts, stringOf(query) || stringOf(objectOf(query)?.['text']))
}

/** A text, texts, or objects with a `text`. */
function addFlat(texts: string[], value: Json | undefined): void {
  if (typeof value === 'string') return add(texts, value)
  for (const item of arrayOf(value)) add(texts, typeof item === 'string' ? item : stringOf(objectOf(item)?.['text']))
}
