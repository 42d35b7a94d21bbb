import { isUtf8 } from 'node:buffer'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, isAbsolute, relative } from 'node:path'
import { Readable, Transform, type TransformCallback } from 'node:stream'
import type { Head, Json, JsonObject, LoadReport, Source } from '../contracts/dataset.js'
import { AiperfError } from '../errors.js'

const NEWLINE = 10
const RETURN = 13
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const HEAD_BYTES = 64 * 1024

type Compression = 'gzip' | 'zstd' | undefined

function compressionOf(bytes: Uint8Array): Compression {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return 'zstd'
  return undefined
}

/** Name of a file as a person would write it: relative when it lies below the working directory. */
function displayName(path: string): string {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short
}

function readable(path: string): void {
  if (!existsSync(path)) throw new AiperfError('E_INPUT_FILE', `${displayName(path)} does not exist`)
  if (statSync(path).isDirectory()) throw new AiperfError('E_INPUT_FILE', `${displayName(path)} is a folder, expected a file`)
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(count)
    const { bytesRead } = await file.read(buffer, 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The decompressed bytes of a file, piece by piece. */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  readable(path)
  const compression = compressionOf(await firstBytes(path, 4))
  const raw = createReadStream(path, { highWaterMark: 256 * 1024 })
  let stream: Readable = raw
  if (compression) {
    const zlib = await import('node:zlib')
    const through = compression === 'gzip' ? zlib.createGunzip() : await zstdDecompressor(zlib)
    raw.on('error', (error) => through.destroy(error))
    stream = raw.pipe(through)
  }
  try {
    for await (const chunk of stream) yield chunk as Buffer
  } catch (error) {
    throw new AiperfError('E_INPUT_FILE', `${displayName(path)} cannot be read: ${(error as Error).message}`, { cause: error })
  } finally {
    raw.destroy()
  }
}

/** Node's own decompressor where it has one (22.15), otherwise a JavaScript one. */
async function zstdDecompressor(zlib: object): Promise<Transform> {
  const native = (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress
  if (native) return native()
  const { Decompress } = await import('fzstd')
  const out: Transform = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      push(chunk, false, done)
    },
    flush(done: TransformCallback) {
      push(new Uint8Array(0), true, done)
    },
  })
  const decompress = new Decompress((bytes) => void out.push(Buffer.from(bytes)))
  const push = (bytes: Uint8Array, last: boolean, done: TransformCallback): void => {
    try {
      decompress.push(bytes, last)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
  return out
}

interface Line { line: number; text: string; file: string }

function refuseUtf16(bytes: Uint8Array, path: string): void {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new AiperfError('E_INPUT_FILE', `${displayName(path)} is UTF-16 text, expected UTF-8`, { hint: `convert it: iconv -f UTF-16 -t UTF-8 ${displayName(path)}` })
}

/** Cuts bytes into lines, which end with \n, \r\n or \r; a line may span any number of pieces. */
async function* splitLines(path: string, report: LoadReport): AsyncGenerator<Line> {
  const file = displayName(path)
  let line = 0
  let rest: Buffer[] = []
  function* takeAll(bytes: Buffer): Generator<Line> {
    if (bytes[bytes.length - 1] === RETURN) bytes = bytes.subarray(0, -1)
    for (let start = 0, end = 0; start <= bytes.length; start = end + 1) {
      end = bytes.indexOf(RETURN, start)
      if (end < 0) end = bytes.length
      const taken = take(bytes.subarray(start, end))
      if (taken) yield taken
    }
  }
  const take = (bytes: Buffer): Line | undefined => {
    line++
    if (line === 1) {
      refuseUtf16(bytes, path)
      if (BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte)) bytes = bytes.subarray(3)
    }
    if (!isUtf8(bytes)) {
      report.bad({ file, line }, 'expected UTF-8 text, got other bytes')
      return undefined
    }
    const text = bytes.toString('utf8')
    return text.trim() === '' ? undefined : { line, text, file }
  }
  for await (const chunk of readBytes(path)) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      let bytes = chunk.subarray(start, end)
      if (rest.length > 0) {
        bytes = Buffer.concat([...rest, bytes])
        rest = []
      }
      start = end + 1
      for (const taken of takeAll(bytes)) yield taken
    }
    if (start < chunk.length) rest.push(Buffer.from(chunk.subarray(start)))
  }
  if (rest.length > 0) for (const taken of takeAll(Buffer.concat(rest))) yield taken
}

/**
 * Parses one JSON text; integers beyond ±2⁵³ become strings of their digits, so that 64-bit ids that differ stay
 * different.
 *
 * @throws SyntaxError
 */
function parseJson(text: string): Json {
  return JSON.parse(/\d{16}/.test(text) ? quoteLongIntegers(text) : text) as Json
}

function quoteLongIntegers(text: string): string {
  // Strings first, so that digits inside them are passed over.
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.length < 16 || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token)) ? token : `"${token}"`)
}

function describe(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

/** Opens what a loader reads from: a file, a folder, or the inline records of a config file. */
export function openSource(from: { path?: string; records?: Json[] }, report: LoadReport): Source {
  const own = (): string => {
    if (from.path === undefined) throw new AiperfError('E_DATASET', 'This dataset format reads a file, and none was given', { hint: 'give --input-file' })
    return from.path
  }
  const rowsOfRecords = async function* (records: Json[]) {
    for (const [at, row] of records.entries()) {
      const where = { file: 'inline records', line: at + 1 }
      if (row === null || typeof row !== 'object' || Array.isArray(row)) report.bad(where, `expected an object, got ${describe(row)}`)
      else yield { ...where, row }
    }
  }
  const rowsOfFile = async function* (path: string) {
    for await (const { line, text, file } of splitLines(path, report)) {
      let row: Json
      try {
        row = parseJson(text)
      } catch (error) {
        report.bad({ file, line }, `expected a JSON object, got invalid JSON (${(error as Error).message})`)
        continue
      }
      if (row === null || typeof row !== 'object' || Array.isArray(row)) report.bad({ file, line }, `expected a JSON object, got ${describe(row)}`)
      else yield { line, row: row as JsonObject, file }
    }
  }
  return {
    ...from,
    lines: (path) => splitLines(path ?? own(), report),
    rows: (path) => (path === undefined && from.records ? rowsOfRecords(from.records) : rowsOfFile(path ?? own())),
  }
}

/** What format detection may look at, see `Head`. */
export async function readHead(path: string): Promise<Head> {
  const name = basename(path)
  if (!existsSync(path)) throw new AiperfError('E_INPUT_FILE', `${displayName(path)} does not exist`)
  if (statSync(path).isDirectory()) return { name, path, type: 'directory', bytes: new Uint8Array(0) }
  const pieces: Buffer[] = []
  let length = 0
  for await (const chunk of readBytes(path)) {
    pieces.push(chunk)
    length += chunk.length
    if (length >= HEAD_BYTES) break
  }
  const bytes = Buffer.concat(pieces)
  refuseUtf16(bytes, path)
  const first = firstRecord(bytes.toString('utf8').replace(/^\ufeff/, '').replaceAll('\r', '\n'))
  return { name, path, type: 'file', bytes, ...(first === undefined ? {} : { first }) }
}

/** The first record of JSON lines, or the first element or the whole of a JSON document that the text holds. */
function firstRecord(text: string): Json | undefined {
  const attempt = (part: string): Json | undefined => {
    try {
      return parseJson(part)
    } catch {
      return undefined
    }
  }
  const start = text.trimStart()
  const line = attempt(start.slice(0, start.includes('\n') ? start.indexOf('\n') : undefined))
  const whole = line ?? attempt(start)
  if (whole !== undefined) return Array.isArray(whole) ? whole[0] : whole
  if (!start.startsWith('[')) return undefined
  // A long array: cut out its first element by counting brackets outside strings.
  let depth = 0
  for (const token of start.slice(1).matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token[0] === '{' || token[0] === '[') depth++
    else if (token[0] === '}' || token[0] === ']') depth--
    else continue
    if (depth === 0) return attempt(start.slice(1, token.index + 2))
  }
  return undefined
}
