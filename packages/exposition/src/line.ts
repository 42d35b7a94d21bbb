/** A sample line, taken apart: `name{label="value",…} value [timestamp] [# exemplar]`. */
export interface SampleLine {
  name: string
  labels: Record<string, string>
  /** Where the value begins, relative to the start of the line. */
  valueAt: number
}

/** Names without quotes; dots and dashes are not legal there, but seen. */
const NAME = /^[A-Za-z_:][\w:.-]*$/
const SPACE = 32
const TAB = 9
const isBlank = (code: number): boolean => code === SPACE || code === TAB

/** Reads name and labels; a text says what is wrong. Escapes `\\`, `\"` and `\n` are undone, others are kept as they are. */
export function readSampleLine(line: string): SampleLine | string {
  let at = skipBlanks(line, 0)
  const labels: Record<string, string> = {}
  let name = ''
  const start = at
  while (at < line.length && line[at] !== '{' && !isBlank(line.charCodeAt(at))) at++
  name = line.slice(start, at)
  if (name !== '' && !NAME.test(name)) return `${name.slice(0, 40)} is no metric name`
  at = skipBlanks(line, at)
  if (line[at] === '{') {
    at = skipBlanks(line, at + 1)
    while (line[at] !== '}') {
      if (at >= line.length) return 'the labels have no end'
      let key: string
      if (line[at] === '"') {
        const quoted = readQuoted(line, at)
        if (!quoted) return 'a quoted name has no end'
        ;[key, at] = quoted
      } else {
        const from = at
        while (at < line.length && line[at] !== '=' && line[at] !== ',' && line[at] !== '}' && !isBlank(line.charCodeAt(at))) at++
        key = line.slice(from, at)
      }
      at = skipBlanks(line, at)
      if (line[at] === '=') {
        at = skipBlanks(line, at + 1)
        const value = line[at] === '"' ? readQuoted(line, at) : undefined
        if (!value) return `the label ${key} has no quoted value`
        if (key === '') return 'a label has no name'
        labels[key] = value[0]
        at = value[1]
      } else if (name === '' && key !== '') name = key
      else return `the label ${key} has no value`
      at = skipBlanks(line, at)
      if (line[at] === ',') at = skipBlanks(line, at + 1)
      else if (line[at] !== '}') return 'the labels are not separated by commas'
    }
    at++
  }
  if (name === '') return 'there is no metric name'
  const valueAt = skipBlanks(line, at)
  if (valueAt >= line.length) return 'there is no value'
  return { name, labels, valueAt }
}

/** The value that begins at `from`; undefined when it is not a number. `NaN` and infinities are values. */
export function readValue(text: string, from: number, lineEnd: number): number | undefined {
  while (from < lineEnd && isBlank(text.charCodeAt(from))) from++
  let end = from
  while (end < lineEnd) {
    const code = text.charCodeAt(end)
    if (code === SPACE || code === TAB || code === 13) break
    end++
  }
  if (end === from) return undefined
  const token = text.slice(from, end)
  const value = Number(token)
  if (value === value) return value
  switch (token.toLowerCase()) {
    case 'nan':
      return Number.NaN
    case '+inf':
    case 'inf':
    case '+infinity':
    case 'infinity':
      return Infinity
    case '-inf':
    case '-infinity':
      return -Infinity
    default:
      return undefined
  }
}

/** Undoes the escapes of a HELP text. */
export function unescapeHelp(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\n"])/g, (_, c: string) => (c === 'n' ? '\n' : c)) : text
}

function skipBlanks(line: string, at: number): number {
  while (at < line.length && isBlank(line.charCodeAt(at))) at++
  return at
}

/** A quoted text that begins at `at`, and where it ends. */
function readQuoted(line: string, at: number): [text: string, end: number] | undefined {
  let text = ''
  let from = at + 1
  for (let i = from; i < line.length; i++) {
    const c = line[i]
    if (c === '"') return [text + line.slice(from, i), i + 1]
    if (c === '\\' && i + 1 < line.length) {
      const next = line[i + 1]!
      if (next === 'n' || next === '\\' || next === '"') {
        text += line.slice(from, i) + (next === 'n' ? '\n' : next)
        from = i + 2
      }
      i++
    }
  }
  return undefined
}
