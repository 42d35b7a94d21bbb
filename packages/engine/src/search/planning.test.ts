import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Orchestration } from '@aiperf/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layoutOf } from './layout.js'
import { differences, Ledger, type RunRecord } from './ledger.js'
import { turns } from './order.js'
import { gridCells, zipCells } from './points/cells.js'
import { folderNames, labelOf, parameterNames } from './points/names.js'
import { searchSeed, sweepSeed } from './seeds.js'

const CONCURRENCY = 'phases.profiling.concurrency'
const OSL = 'datasets.main.prompts.osl'

describe('points', () => {
  test('a grid goes through its paths in alphabetical order, the last fastest', () => {
    const cells = gridCells({ [CONCURRENCY]: [1, 2], [OSL]: [8, 16, 32] })
    expect(folderNames(cells)).toEqual(['osl_8__concurrency_1', 'osl_8__concurrency_2', 'osl_16__concurrency_1', 'osl_16__concurrency_2', 'osl_32__concurrency_1', 'osl_32__concurrency_2'])
    expect(labelOf(cells[0]!, 0)).toBe(`${OSL}=8, ${CONCURRENCY}=1`)
  })

  test('a zip pairs its lists', () => {
    expect(zipCells({ [CONCURRENCY]: [1, 2], [OSL]: [8, 16] }).map((c) => c.values)).toEqual([{ [OSL]: 8, [CONCURRENCY]: 1 }, { [OSL]: 16, [CONCURRENCY]: 2 }])
  })

  test('a grid has every combination once', () => {
    const list = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), list, { minKeys: 1, maxKeys: 3 }), (parameters) => {
        const cells = gridCells(parameters)
        expect(cells.length).toBe(Object.values(parameters).reduce((product, values) => product * values.length, 1))
        expect(new Set(cells.map((c) => JSON.stringify(c.values))).size).toBe(cells.length)
      }),
    )
  })

  test('folders never share a name, and hold no character a file system minds', () => {
    const cell = (values: Record<string, unknown>, name?: string) => ({ values, overlay: {}, ...(name === undefined ? {} : { name }) }) as never
    expect(folderNames([cell({ a: 1 }), cell({ a: 1 }), cell({ 'x.a': '../b:c' }), cell({ a: { b: 1 } }, 'nested'), cell({}), cell({}, 'aggregate')])).toEqual(['a_1', 'a_1-2', 'a_bc', 'nested', 'variation_4', 'aggregate-2'])
  })

  test('names are as short as they can be', () => {
    expect([...parameterNames(['d.isl.stddev', 'd.osl.stddev', CONCURRENCY]).values()]).toEqual(['isl.stddev', 'osl.stddev', 'concurrency'])
  })
})

describe('seeds', () => {
  const plan = (more: object, varySeed = false) => ({ baseSeed: 7, sameSeed: false, repeats: { varySeed }, ...more }) as Orchestration
  const at = (index: number, trial = 0) => ({ index, label: `c=${index}`, trial })

  test('base and index, or one for all', () => {
    expect([0, 1, 2].map((i) => sweepSeed(plan({}), at(i)))).toEqual([7, 8, 9])
    expect([0, 1, 2].map((i) => sweepSeed(plan({ sameSeed: true }), at(i)))).toEqual([7, 7, 7])
    expect([0, 1].map((trial) => sweepSeed(plan({}), at(1, trial)))).toEqual([8, 8])
    expect(sweepSeed(plan({ baseSeed: undefined }), at(1))).toBeUndefined()
  })

  test('of its own for every run', () => {
    const seeds = [0, 1, 2].flatMap((i) => [0, 1].map((trial) => sweepSeed(plan({}, true), at(i, trial))))
    expect(new Set(seeds).size).toBe(6)
    expect(sweepSeed(plan({}, true), at(0))).toBe(createHash('sha256').update('7:variation:c=0:trial:0').digest().readUIntBE(0, 6))
  })

  test('a point that a search runs again draws anew', () => {
    const again = [0, 3, 4].map((index) => searchSeed(plan({}), { index, label: 'c=5', trial: 0 }))
    expect(again[0]).toBe(7)
    expect(new Set(again).size).toBe(3)
  })
})

describe('order', () => {
  const pairs = (all: { cell: number; trial: number }[]) => all.map(({ cell, trial }) => `${cell}${trial}`).join(' ')

  test('all points and again, or all runs of a point and the next', () => {
    expect(pairs(turns(3, 2, 'repeated'))).toBe('00 10 20 01 11 21')
    expect(pairs(turns(3, 2, 'independent'))).toBe('00 01 10 11 20 21')
  })

  test('drawn from a seed: every run once, another order for every pass', () => {
    const all = turns(6, 3, 'repeated', 5)
    expect(new Set(pairs(all).split(' ')).size).toBe(18)
    expect(pairs(turns(6, 3, 'repeated', 5))).toBe(pairs(all))
    const passes = [0, 1, 2].map((trial) => all.filter((t) => t.trial === trial).map((t) => t.cell).join())
    expect(new Set(passes).size).toBeGreaterThan(1)
  })
})

test.each([
  ['repeats', 3, 'repeated', 'profile_runs/run_0002', 'aggregate', 'sweep_aggregate'],
  ['sweep', 1, 'repeated', 'c_4', 'aggregate/c_4', 'sweep_aggregate'],
  ['sweep', 2, 'repeated', 'profile_runs/trial_0002/c_4', 'aggregate/c_4', 'aggregate/sweep_aggregate'],
  ['sweep', 2, 'independent', 'c_4/profile_runs/trial_0002', 'c_4/aggregate', 'sweep_aggregate'],
  ['search', 1, 'repeated', 'search_iter_0003/profile_runs/run_0002', 'aggregate/c_4', 'sweep_aggregate'],
] as const)('folders of %s with %i runs, %s', (kind, trials, order, run, cell, sweep) => {
  const layout = layoutOf({ kind, trials, order })
  const paths = [layout.run({ folder: 'c_4', index: 3 }, 1), layout.cellAggregate({ folder: 'c_4' }), layout.sweepAggregate]
  expect(paths.map((p) => p.replaceAll('\\', '/'))).toEqual([run, cell, sweep])
})

describe('ledger', () => {
  const record = (cell: number, status: RunRecord['status'] = 'ok'): RunRecord => ({ cell, trial: 0, label: `c=${cell}`, seed: 1, directory: 'x', status, startTime: '', seconds: 1, metrics: [] })
  const folder = () => mkdtempSync(join(tmpdir(), 'aiperf-ledger-'))

  test('what ended is known again, the last word counts, a cut line does not', () => {
    const directory = folder()
    const ledger = Ledger.begin(directory, { sweepId: 's', fingerprint: { a: 1 } })
    ledger.add(record(0))
    ledger.add(record(1, 'failed'))
    ledger.close()
    const path = join(directory, 'checkpoints', 'runs.jsonl')
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n{"cell":2,"trial":0,"sta`)
    const again = Ledger.resume(directory, { a: 1 })
    expect(again.runs().map((r) => [r.cell, r.status])).toEqual([[0, 'ok'], [1, 'failed']])
    again.add(record(1))
    again.add(record(2))
    again.close()
    expect(Ledger.resume(directory, { a: 1 }).runs().map((r) => [r.cell, r.status])).toEqual([[0, 'ok'], [1, 'ok'], [2, 'ok']])
  })

  test('another plan is refused with what changed, none at all is refused too', () => {
    const directory = folder()
    Ledger.begin(directory, { sweepId: 's', fingerprint: { model: { requests: 100 }, points: [1, 2] } }).close()
    expect(() => Ledger.resume(directory, { model: { requests: 200 }, points: [1, 2, 3] })).toThrow('model.requests was 100, is 200; points.2 was not there, is 3')
    expect(() => Ledger.resume(folder(), {})).toThrow('holds no plan')
  })

  test('differences lead to the leaf', () => {
    expect(differences({ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } })).toEqual(['a.b.1.c was 2, is 3'])
  })
})
