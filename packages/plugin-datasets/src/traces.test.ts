import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Session } from '@aiperf/core'
import { detects, loadDataset, textOf, tokenizer } from '../test/loadDataset.js'
import mooncakeTrace from './mooncake-trace.js'
import multiTurn from './multi-turn.js'
import singleTurn from './single-turn.js'

const FOLDER = join(import.meta.dirname, '../test/traces')
const LOADERS: Record<string, unknown> = { mooncake_trace: mooncakeTrace, multi_turn: multiTurn, single_turn: singleTurn }

interface Case {
  name: string
  file: string
  dataset_type: string
  options: string[]
  expect: {
    ok: boolean
    line?: number | null
    message_mentions?: string[]
    rows?: number
    turns?: number
    texts?: string[]
    input_lengths?: number[]
    output_lengths?: number[]
    same_first_block_rows?: number[]
    other_first_block_rows?: number[]
    turns_per_conversation?: Record<string, number>
    delays_ms?: Record<string, (number | null)[]>
    input_lengths_by_session?: Record<string, number[]>
    first_turn_schedule_ms?: number[]
    schedule_ms?: number[]
  }
}

const cases = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.expected.json'))
  .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Case)
  .filter((item) => item.dataset_type in LOADERS)

/** Conversations by the names the cases use: a session id, or `(row n)` for a conversation without one. */
function bySessionName(sessions: Session[], names: string[]): Record<string, Session> {
  const known = names.filter((name) => !name.startsWith('('))
  const unnamed = sessions.filter((session) => !known.includes(session.id))
  return Object.fromEntries(names.map((name) => [name, sessions.find((session) => session.id === name) ?? unnamed.shift()!]))
}

describe('dataset files from real reports', () => {
  for (const item of cases.filter((each) => !each.expect.ok))
    it(`${item.name}: is refused by line`, async () => {
      const loading = loadDataset(LOADERS[item.dataset_type], join(FOLDER, item.file), { fixedSchedule: item.options.includes('--fixed-schedule') })
      const error = await loading.then(() => undefined, (caught: Error & { exitCode: number }) => caught)
      expect(error?.exitCode).toBe(2)
      expect(error?.message.split('\n')).toHaveLength(1)
      expect(error?.message).toContain(`${item.file}, line ${item.expect.line}: `)
      for (const word of item.expect.message_mentions ?? []) expect(error?.message).toContain(word)
    })

  for (const item of cases.filter((each) => each.expect.ok))
    it(`${item.name}: loads as expected`, async () => {
      const path = join(FOLDER, item.file)
      const loader = LOADERS[item.dataset_type]
      const { sessions } = await loadDataset(loader, path, { fixedSchedule: item.options.includes('--fixed-schedule') })
      const { expect: wanted } = item
      const turns = sessions.flatMap((session) => session.turns)
      expect(await detects(loader, path)).toBe(true)
      if (!wanted.schedule_ms || wanted.rows === wanted.turns) expect(turns).toHaveLength(wanted.turns!)
      if (wanted.texts) expect(sessions.map((session) => textOf(session))).toEqual(wanted.texts)
      if (wanted.output_lengths) expect(turns.map((turn) => turn.maxTokens)).toEqual(wanted.output_lengths)
      if (wanted.input_lengths) {
        expect(turns.map((turn) => turn.inputTokens)).toEqual(wanted.input_lengths)
        expect(sessions.map((session) => tokenizer().count(textOf(session)))).toEqual(wanted.input_lengths)
      }
      if (wanted.same_first_block_rows) {
        const beginning = (row: number) => tokenizer().encode(textOf(sessions[row - 1]!)).slice(0, 512).join()
        const shared = beginning(wanted.same_first_block_rows[0]!)
        for (const row of wanted.same_first_block_rows) expect(beginning(row)).toBe(shared)
        for (const row of wanted.other_first_block_rows!) expect(shared.startsWith(beginning(row).slice(0, 20))).toBe(false)
      }
      for (const [name, session] of Object.entries(bySessionName(sessions, Object.keys(wanted.turns_per_conversation ?? {}))))
        expect(session.turns).toHaveLength(wanted.turns_per_conversation![name]!)
      for (const [name, session] of Object.entries(bySessionName(sessions, Object.keys(wanted.delays_ms ?? {}))))
        expect(session.turns.map((turn) => turn.delayMs ?? null)).toEqual(wanted.delays_ms![name])
      for (const [name, session] of Object.entries(bySessionName(sessions, Object.keys(wanted.input_lengths_by_session ?? {}))))
        expect(session.turns.map((turn) => turn.inputTokens)).toEqual(wanted.input_lengths_by_session![name])
      if (wanted.first_turn_schedule_ms) expect(sessions.map((session) => session.turns[0]!.timestampMs)).toEqual(wanted.first_turn_schedule_ms)
    })
})
