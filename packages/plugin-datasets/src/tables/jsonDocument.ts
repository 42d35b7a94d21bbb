import { AiperfError, isJsonObject, type Json, type LoadReport, type Source } from '@aiperf/core'
import type { TableRow } from './tableRow.js'

/** Reads a whole JSON document. @throws AiperfError E_DATASET when it is none. */
export async function readJsonDocument(source: Source, path?: string): Promise<{ value: Json; file: string }> {
  const lines: string[] = []
  let file = path ?? source.path ?? 'the dataset'
  for await (const { text, file: name } of source.lines(path)) {
    lines.push(text)
    file = name
  }
  try {
    return { value: JSON.parse(lines.join('\n')) as Json, file }
  } catch (error) {
    throw new AiperfError('E_DATASET', `${file}: expected a JSON document, got invalid JSON (${(error as Error).message})`)
  }
}

/** A text in quotes, a bracket or comma, or anything else that stands by itself. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},]|[^\s[\]{},":]+/g

/**
 * The objects of a JSON document that is an array, or the one object that it is; what is no object is reported. Only one
 * element is in memory at a time: elements are cut out by counting brackets outside texts.
 */
export async function* documentRows(source: Source, report: LoadReport, path?: string): AsyncGenerator<TableRow> {
  let parts: string[] = []
  let begun: { line: number; file: string } | undefined
  let last: { line: number; file: string } | undefined
  let depth = 0
  /** Depth at which elements stand: 1 in an array; undefined before anything was read. */
  let base: number | undefined
  for await (const { line, text, file } of source.lines(path)) {
    last = { line, file }
    let from = 0
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      if (base === undefined) {
        base = token === '[' ? 1 : 0
        if (base === 1) {
          depth = 1
          continue
        }
      }
      if (token === '{' || token === '[') {
        if (depth++ === base) {
          from = index
          begun = last
        }
      } else if (token === '}' || token === ']') {
        if (--depth === base && begun) {
          const row = elementOf([...parts, text.slice(from, index + 1)].join('\n'), begun, report)
          parts = []
          begun = undefined
          if (row) yield row
        }
      } else if (depth === base && token !== ',') report.bad(last, `expected a JSON object, got ${token.slice(0, 40)}`)
    }
    if (begun) parts.push(text.slice(from))
  }
  if (last && depth > 0) report.bad(begun ?? last, 'expected a JSON document, got one that does not end')
}

function elementOf(text: string, at: { line: number; file: string }, report: LoadReport): TableRow | undefined {
  let row: Json
  try {
    row = JSON.parse(text) as Json
  } catch (error) {
    return report.bad(at, `expected a JSON object, got invalid JSON (${(error as Error).message})`) as undefined
  }
  if (isJsonObject(row)) return { row, ...at }
  return report.bad(at, 'expected a JSON object, got an array') as undefined
}
