import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '@aiperf/core'
import { DatasetReport } from '@aiperf/core/host'
import { fileOf, jsonLines, loadDataset, textOf, tokenizer } from '../../test/loadDataset.js'
import mooncake from '../mooncake-trace.js'
import { synthesised, type SynthesisSettings } from './synthesis.js'
import type { TraceRow } from './traceRow.js'

const BLOCK = 10
interface Request { ids: number[]; tokens: number; output?: number; atMs?: number; delayMs?: number }

async function reshape(requests: Request[], settings: SynthesisSettings): Promise<{ rows: TraceRow[]; report: DatasetReport }> {
  async function* rows(): AsyncGenerator<TraceRow> {
    for (const [at, { ids, tokens, output, atMs, delayMs }] of requests.entries())
      yield {
        file: 'x', line: at + 1, content: { kind: 'tokens', inputTokens: tokens, hashIds: ids },
        ...(output === undefined ? {} : { outputTokens: output }), ...(atMs === undefined ? {} : { timestampMs: atMs }), ...(delayMs === undefined ? {} : { delayMs }),
      }
  }
  const report = new DatasetReport('fail')
  const made: TraceRow[] = []
  for await (const row of synthesised(rows(), settings, BLOCK, createRandom(1, 'x'), report)) made.push(row)
  return { rows: made, report }
}
const contents = (rows: TraceRow[]) => rows.map((row) => (row.content.kind === 'tokens' ? row.content : undefined)!)
const sharedRun = (a: readonly unknown[], b: readonly unknown[]) => {
  let run = 0
  while (run < a.length && a[run] === b[run]) run++
  return run
}
// Two requests share the first two blocks, the third shares none.
const TRACE: Request[] = [{ ids: [1, 2, 3], tokens: 25 }, { ids: [1, 2, 4, 5], tokens: 40 }, { ids: [9], tokens: 7 }]

describe('synthesis of traces', () => {
  it('divides times and delays alike, and leaves them at 0', async () => {
    const requests = [{ ids: [], tokens: 5, atMs: 1001, delayMs: 30 }]
    expect((await reshape(requests, { speedupRatio: 4 })).rows[0]).toMatchObject({ timestampMs: 250.25, delayMs: 7.5 })
    expect((await reshape(requests, { speedupRatio: 0 })).rows[0]).toMatchObject({ timestampMs: 1001, delayMs: 30 })
  })

  it('scales and caps outputs, and leaves long inputs out', async () => {
    const requests = [{ ids: [], tokens: 5, output: 10 }, { ids: [], tokens: 50, output: 1 }]
    expect((await reshape(requests, { outputLenMultiplier: 0.01 })).rows.map((row) => row.outputTokens)).toEqual([1, 1])
    expect((await reshape(requests, { outputLenMultiplier: 3, maxOsl: 20 })).rows.map((row) => row.outputTokens)).toEqual([20, 3])
    const { rows, report } = await reshape(requests, { maxIsl: 20 })
    expect([rows.length, report.counts.skipped]).toEqual([1, 1])
  })

  it('lengthens shared prefixes, which stay shared', async () => {
    const [first, second, third] = contents((await reshape(TRACE, { prefixLenMultiplier: 2 })).rows)
    expect(sharedRun(first!.hashIds, second!.hashIds)).toBe(4)
    expect([first!.inputTokens, second!.inputTokens, third!.inputTokens]).toEqual([45, 60, 7])
    const half = contents((await reshape(TRACE, { prefixLenMultiplier: 1.5 })).rows)
    expect(sharedRun(half[0]!.hashIds, half[1]!.hashIds)).toBe(3)
    const shorter = contents((await reshape(TRACE, { prefixLenMultiplier: 0.5 })).rows)
    expect(sharedRun(shorter[0]!.hashIds, shorter[1]!.hashIds)).toBe(1)
    expect(shorter[0]!.inputTokens).toBe(15)
  })

  it('lengthens what is not shared', async () => {
    const [first, second, third] = contents((await reshape(TRACE, { promptLenMultiplier: 3 })).rows)
    expect([first!.inputTokens, second!.inputTokens, third!.inputTokens]).toEqual([35, 80, 21])
    expect([first!.hashIds.length, second!.hashIds.length, third!.hashIds.length]).toEqual([4, 8, 3])
  })

  it('spreads requests over trees that share nothing', async () => {
    const many = Array.from({ length: 60 }, () => ({ ids: [1, 2], tokens: 20 }))
    const firsts = contents((await reshape(many, { prefixRootMultiplier: 3 })).rows).map((content) => content.hashIds[0])
    expect(new Set(firsts).size).toBe(3)
  })

  it('keeps every request consistent with its blocks', async () => {
    const request = fc.tuple(fc.array(fc.nat(6), { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: BLOCK })).map(([ids, last]) => ({ ids, tokens: (ids.length - 1) * BLOCK + last }))
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), fc.double({ min: 0.1, max: 4, noNaN: true }), fc.double({ min: 0, max: 4, noNaN: true }), fc.integer({ min: 1, max: 3 }), async (requests, prefix, prompt, roots) => {
        const { rows } = await reshape(requests, { prefixLenMultiplier: prefix, promptLenMultiplier: prompt, prefixRootMultiplier: roots, maxIsl: 60 })
        for (const { inputTokens, hashIds } of contents(rows)) {
          expect(inputTokens).toBeGreaterThanOrEqual(1)
          expect(inputTokens).toBeLessThanOrEqual(60)
          if (hashIds.length > 0) expect(hashIds.length).toBe(Math.ceil(inputTokens / BLOCK))
        }
      }),
      { numRuns: 100 },
    )
  })

  it('makes prompts of the new lengths', async () => {
    const path = fileOf('x.jsonl', jsonLines({ input_length: 20, hash_ids: [1, 2] }, { input_length: 45, hash_ids: [1, 2, 3] }))
    const { sessions } = await loadDataset(mooncake, path, { options: { prompts: { blockSize: 16 }, synthesis: { prefixLenMultiplier: 2 } } })
    const texts = sessions.map((session) => textOf(session))
    expect(texts.map((text) => tokenizer().count(text))).toEqual(sessions.map((session) => session.turns[0]!.inputTokens))
  })
})

describe('recorded times', () => {
  const path = fileOf('x.jsonl', jsonLines({ session_id: 'a', timestamp: 5, text_input: 'x' }, { session_id: 'a', delay: 9000, text_input: 'y' }))
  it('are left out or capped when asked', async () => {
    const timesOf = async (options: Record<string, unknown>) => (await loadDataset(mooncake, path, { options: options as never })).sessions[0]!.turns.map((turn) => [turn.timestampMs, turn.delayMs])
    expect(await timesOf({ ignoreTraceDelays: true })).toEqual([[undefined, undefined], [undefined, undefined]])
    expect(await timesOf({ interTurnDelayCapSeconds: 2 })).toEqual([[5, undefined], [undefined, 2000]])
  })
})
