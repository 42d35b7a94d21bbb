import { AskError } from './ask.js'

/** What a `multipart/form-data` body (RFC 7578) holds. Parts that have a file name are files, the others are text. */
export interface Form {
  /** The last value of each name. */
  readonly values: Readonly<Record<string, string>>
  readonly files: readonly FormFile[]
}

export interface FormFile {
  readonly name: string
  readonly fileName: string
  /** '' where the part names none. */
  readonly contentType: string
  /** A view into the request's body. */
  readonly bytes: Buffer
}

const CRLF = '\r\n'
const DASH = 45

/** Reads a form by the boundary that its content type names. Throws `AskError`. */
export function parseForm(body: Buffer, contentType: string): Form {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
  if (!boundary) throw new AskError('the content type of a form must name its boundary')
  const delimiter = `--${boundary[1] ?? boundary[2]}`
  const values: Record<string, string> = Object.create(null)
  const files: FormFile[] = []
  let at = body.indexOf(delimiter, 0, 'latin1')
  while (at >= 0) {
    const start = at + delimiter.length
    if (body[start] === DASH && body[start + 1] === DASH) return { values, files }
    const head = body.indexOf(CRLF, start, 'latin1')
    // What follows starts with the line break before it, so that a part without header lines is one too.
    const content = body.indexOf(`${CRLF}${CRLF}`, head, 'latin1')
    at = nextDelimiter(body, `${CRLF}${delimiter}`, head)
    if (head < 0 || at < 0 || content < 0 || content >= at) throw new AskError('the form breaks off')
    const part = readHead(body.toString('utf8', head, content))
    const bytes = body.subarray(content + 4, at)
    if (part.fileName === undefined) values[part.name] = bytes.toString('utf8')
    else files.push({ name: part.name, fileName: part.fileName, contentType: part.contentType, bytes })
    at += CRLF.length
  }
  throw new AskError('the form breaks off')
}

/** Where the next line begins that is a delimiter, and not just the beginning of a longer one. */
function nextDelimiter(body: Buffer, delimiter: string, from: number): number {
  for (let at = body.indexOf(delimiter, from, 'latin1'); at >= 0; at = body.indexOf(delimiter, at + 1, 'latin1')) {
    if (/^(--|[ \t]*\r\n)/.test(body.toString('latin1', at + delimiter.length, at + delimiter.length + 64))) return at
  }
  return -1
}

function readHead(head: string): { name: string; fileName: string | undefined; contentType: string } {
  const disposition = /\r\ncontent-disposition:[ \t]*form-data([^\r]*)/i.exec(head)?.[1] ?? ''
  const name = parameter(disposition, 'name')
  if (name === undefined) throw new AskError('a part of the form has no name')
  return { name, fileName: parameter(disposition, 'filename'), contentType: /\r\ncontent-type:[ \t]*([^\r]*)/i.exec(head)?.[1]?.trim() ?? '' }
}

/** A parameter of a header line; quotes and line breaks within are escaped as browsers do it. */
function parameter(line: string, name: string): string | undefined {
  const found = new RegExp(`;[ \\t]*${name}=(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(line)
  const value = found?.[1] ?? found?.[2]
  return value?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')
}
