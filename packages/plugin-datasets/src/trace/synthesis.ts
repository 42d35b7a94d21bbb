import type { LoadReport, Random } from '@aiperf/core'
import type { HashId, TraceRow } from './traceRow.js'

/** How a trace is changed before it is replayed; see `synthesis` in `options/trace.options.ts`. */
export interface SynthesisSettings {
  speedupRatio?: number
  prefixLenMultiplier?: number
  prefixRootMultiplier?: number
  promptLenMultiplier?: number
  outputLenMultiplier?: number
  /** Tokens; longer requests are left out. */
  maxIsl?: number
  /** Tokens; longer outputs are cut. */
  maxOsl?: number
}

/**
 * Changes a trace as asked. What leaves blocks as they are is done row by row; scaling prefixes or prompts needs to know
 * which blocks requests share, so the whole trace is read first.
 */
export async function* synthesised(rows: AsyncIterable<TraceRow>, settings: SynthesisSettings, blockSize: number, random: Random, report: LoadReport): AsyncGenerator<TraceRow> {
  const kept = withoutLong(rows, settings.maxIsl, report)
  const { prefixLenMultiplier = 1, promptLenMultiplier = 1, prefixRootMultiplier = 1 } = settings
  if (prefixLenMultiplier === 1 && promptLenMultiplier === 1 && prefixRootMultiplier === 1) {
    for await (const row of kept) yield scaled(row, settings)
    return
  }
  const all: TraceRow[] = []
  for await (const row of kept) all.push(row)
  for (const row of reshaped(all, { prefix: prefixLenMultiplier, prompt: promptLenMultiplier, roots: prefixRootMultiplier, maxIsl: settings.maxIsl }, blockSize, random)) yield scaled(row, settings)
}

async function* withoutLong(rows: AsyncIterable<TraceRow>, maxIsl: number | undefined, report: LoadReport): AsyncGenerator<TraceRow> {
  for await (const row of rows) {
    if (maxIsl !== undefined && row.content.kind === 'tokens' && row.content.inputTokens > maxIsl) report.skipped('an input longer than --synthesis-max-isl')
    else yield row
  }
}

/** Times and output lengths. Delays are scaled with the time stamps, so that sessions keep their shape. */
function scaled(row: TraceRow, { speedupRatio = 1, outputLenMultiplier = 1, maxOsl = Infinity }: SynthesisSettings): TraceRow {
  const made = { ...row }
  if (speedupRatio > 0 && speedupRatio !== 1) {
    if (made.timestampMs !== undefined) made.timestampMs /= speedupRatio
    if (made.delayMs !== undefined) made.delayMs /= speedupRatio
  }
  if (made.outputTokens !== undefined) made.outputTokens = Math.min(maxOsl, outputLenMultiplier === 1 ? made.outputTokens : Math.max(1, Math.round(made.outputTokens * outputLenMultiplier)))
  return made
}

interface Shape {
  prefix: number
  prompt: number
  roots: number
  maxIsl: number | undefined
}

/** Ids are numbered anew, so that ids made here never meet ids of the trace. */
function* reshaped(rows: readonly TraceRow[], shape: Shape, blockSize: number, random: Random): Generator<TraceRow> {
  const { numbers, counts } = numbered(rows)
  const whole = Math.max(1, Math.floor(shape.prefix))
  // A space of ids holds the multiplied ids of the trace; fresh ids come after all spaces.
  const space = (numbers.size + 1) * whole
  let fresh = space * shape.roots
  const extensions = new Map<string, number[]>()
  for (const row of rows) {
    if (row.content.kind !== 'tokens') {
      yield row
      continue
    }
    const { inputTokens, hashIds } = row.content
    const ids = hashIds.map((id) => numbers.get(id)!)
    let shared = 0
    while (shared < ids.length && counts[ids[shared]!]! > 1) shared++
    const prefixTokens = Math.min(inputTokens, shared * blockSize)
    const root = shape.roots === 1 ? 0 : random.fork(row.sessionId ?? `line ${row.line}`).integer(0, shape.roots - 1)
    const prefix = multiplied(ids.slice(0, shared), shape.prefix, whole).map((id) => id + root * space)
    const wanted = Math.ceil(shared * shape.prefix)
    if (prefix.length < wanted) {
      // Equal prefixes grow by equal blocks.
      const key = prefix.join()
      let extension = extensions.get(key)
      if (!extension) extensions.set(key, (extension = []))
      while (extension.length < wanted - prefix.length) extension.push(fresh++)
      prefix.push(...extension.slice(0, wanted - prefix.length))
    }
    const promptTokens = Math.round((inputTokens - prefixTokens) * shape.prompt)
    // A prefix that was cut within a block stays cut there.
    const cut = shared * blockSize - prefixTokens
    const newPrefixTokens = Math.max(1, prefix.length * blockSize - (promptTokens === 0 ? cut : 0))
    const tokens = Math.min(shape.maxIsl ?? Infinity, prefix.length === 0 ? Math.max(1, promptTokens) : newPrefixTokens + promptTokens)
    const made = hashIds.length === 0 ? [] : [...prefix, ...Array.from({ length: Math.ceil(promptTokens / blockSize) }, () => fresh++)].slice(0, Math.ceil(tokens / blockSize))
    yield { ...row, content: { kind: 'tokens', inputTokens: tokens, hashIds: made } }
  }
}

/** Ids as numbers from 0 in the order they come, and how often each comes. */
function numbered(rows: readonly TraceRow[]): { numbers: Map<HashId, number>; counts: number[] } {
  const numbers = new Map<HashId, number>()
  const counts: number[] = []
  for (const { content } of rows) {
    if (content.kind !== 'tokens') continue
    for (const id of content.hashIds) {
      const number = numbers.get(id) ?? numbers.size
      numbers.set(id, number)
      counts[number] = (counts[number] ?? 0) + 1
    }
  }
  return { numbers, counts }
}

/** Every block becomes `whole` blocks; with a factor below 1 the leading part is kept. */
function multiplied(ids: readonly number[], factor: number, whole: number): number[] {
  if (ids.length === 0) return []
  if (factor < 1) return ids.slice(0, Math.max(1, Math.floor(ids.length * factor)))
  return ids.flatMap((id) => Array.from({ length: whole }, (_, at) => id * whole + at))
}
