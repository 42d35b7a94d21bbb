import { AiperfError, type Json, type LoadReport, type Source } from '@aiperf/core'

/** A JSON document that is one value over many lines. */
export interface JsonDocument {
  value: Json
  file: string
  /** Physical line on which element `index` of a top-level array begins. */
  lineOf(index: number): number
}

/** Reads a whole JSON document. @throws AiperfError E_DATASET when it is none. */
export async function readJsonDocument(source: Source, path?: string): Promise<JsonDocument> {
  const lines: string[] = []
  const numbers: number[] = []
  let file = path ?? source.path ?? 'the dataset'
  for await (const { line, text, file: name } of source.lines(path)) {
    lines.push(text)
    numbers.push(line)
    file = name
  }
  const text = lines.join('\n')
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    throw new AiperfError('E_DATASET', `${file}: expected a JSON document, got invalid JSON (${(error as Error).message})`)
  }
  let starts: number[] | undefined
  return { value, file, lineOf: (index) => (starts ??= elementLines(text, numbers))[index] ?? 1 }
}

/** Lines of the elements of a top-level array, found by counting brackets outside strings. */
function elementLines(text: string, numbers: readonly number[]): number[] {
  const starts: number[] = []
  let depth = 0
  let line = 0
  let expecting = false
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},\n]|[^\s[\]{},"]+/g)) {
    const [symbol] = token
    if (symbol === '\n') {
      line++
      continue
    }
    if (expecting && symbol !== ']') starts.push(numbers[line]!)
    expecting = false
    if (symbol === '[' || symbol === '{') depth++
    else if (symbol === ']' || symbol === '}') depth--
    if (depth === 1 && (symbol === ',' || symbol === '[')) expecting = true
  }
  return starts
}

/** The elements of a document that is an array of objects; what is no object is reported. */
export async function* documentRows(source: Source, report: LoadReport, path?: string) {
  const document = await readJsonDocument(source, path)
  const { value, file } = document
  const list = Array.isArray(value) ? value : [value]
  for (const [index, row] of list.entries()) {
    const line = Array.isArray(value) ? document.lineOf(index) : 1
    if (row === null || typeof row !== 'object' || Array.isArray(row)) report.bad({ file, line }, `expected a JSON object, got ${row === null ? 'null' : Array.isArray(row) ? 'an array' : `a ${typeof row}`}`)
    else yield { row, file, line }
  }
}
