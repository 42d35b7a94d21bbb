import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { DatasetContext, DatasetLoader, Head, Session, Source, Tokenizer } from '@aiperf/core'
import { DatasetReport, openSource, readHead } from '@aiperf/core/host'
import type { DatasetLoaderCase } from '../cases.js'
import { ensure, group, shown, type Group } from '../checks.js'
import { WORD_TOKENIZER } from '../sample/word-tokenizer.js'
import { randomOf, type Subject } from '../subject.js'

const ENTRIES = 12
const MODES = [undefined, 'deltas_without_responses', 'deltas_with_responses', 'message_array_with_responses']

export function datasetLoaderSuite(subject: Subject<'dataset_loader'>, given: DatasetLoaderCase): Group[] {
  const { meta } = subject
  const generated = meta['source'] === 'generated'
  const hasInput = given.file !== undefined || given.records !== undefined

  async function make(change: Partial<DatasetContext<unknown>> & { seed?: number } = {}): Promise<DatasetLoader> {
    const { seed = 1, ...rest } = change
    return subject.create({
      name: subject.name, options: subject.options(given.options), random: randomOf(seed), tokenizer: async (): Promise<Tokenizer> => WORD_TOKENIZER, entries: ENTRIES, fixedSchedule: given.fixedSchedule ?? false, models: ['first-model'],
      endpoint: { type: 'chat', media: ['image', 'audio', 'video'], consumesSystemMessage: true }, ...rest,
    })
  }
  /** Loads all, from the case's file or another. */
  async function load(input: { path?: string } = {}, change?: Parameters<typeof make>[0], limit = Infinity): Promise<{ sessions: Session[]; report: DatasetReport; source: Watched }> {
    const report = new DatasetReport('skip')
    const source = watched(openSource(given.records && !input.path ? { records: given.records } : input, report))
    const sessions: Session[] = []
    for await (const session of (await make(change)).load(source.source, report)) {
      sessions.push(session)
      if (sessions.length >= limit) break
    }
    return { sessions, report, source }
  }
  const withFile = async <T>(use: (path: string | undefined) => Promise<T>): Promise<T> => {
    if (given.file === undefined) return use(undefined)
    if (typeof given.file === 'string') return use(given.file)
    const folder = mkdtempSync(join(tmpdir(), 'aiperf-conformance-'))
    try {
      const path = join(folder, given.file.name)
      writeFileSync(path, given.file.text)
      return await use(path)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const input = (path: string | undefined) => (path === undefined ? {} : { path })

  const groups: Group[] = []
  if (generated || hasInput)
    groups.push(
      group('sessions', {
        'can be played': () =>
          withFile(async (path) => {
            const { sessions, report } = await load(input(path))
            ensure(sessions.length > 0, `no session was loaded${report.counts.firstBad.length > 0 ? `: ${report.counts.firstBad.join('; ')}` : ''}`)
            const ids = new Set<string>()
            for (const session of sessions) {
              const fault = sessionFault(session)
              ensure(!fault, () => `session ${shown(session.id)} ${fault}`)
              ensure(!ids.has(session.id), `two sessions have the id ${shown(session.id)}`)
              ids.add(session.id)
            }
            const { expect } = given
            const turns = sessions.reduce((sum, session) => sum + session.turns.length, 0)
            ensure(expect?.sessions === undefined || expect.sessions === sessions.length, `expected ${expect?.sessions} sessions, got ${sessions.length}`)
            ensure(expect?.turns === undefined || expect.turns === turns, `expected ${expect?.turns} turns, got ${turns}`)
            ensure(expect?.bad === undefined || expect.bad === report.counts.bad, `expected ${expect?.bad} bad lines, got ${report.counts.bad}`)
          }),
        'are the same for the same seed': () =>
          withFile(async (path) => {
            const [one, two] = [await load(input(path)), await load(input(path))]
            ensure(JSON.stringify(one.sessions) === JSON.stringify(two.sessions), 'two loads with one seed differ: draw random numbers from context.random only')
          }),
        'reading ends when nobody wants more': () =>
          withFile(async (path) => {
            const { sessions, source } = await load(input(path), undefined, 1)
            ensure(sessions.length === 1, 'no session was loaded')
            ensure(source.open === 0, 'the source is still open after the reader went away: read it with for await inside the generator')
          }),
      }),
    )
  if (generated)
    groups.push(
      group('generation', {
        'entry i does not depend on how many there are': async () => {
          const [few, many] = [await load({}, { entries: 3 }), await load({}, { entries: 9 })]
          ensure(few.sessions.length <= many.sessions.length, `3 entries gave ${few.sessions.length} sessions, 9 gave ${many.sessions.length}`)
          few.sessions.forEach((session, i) => ensure(JSON.stringify(session) === JSON.stringify(many.sessions[i]), `session ${i} of 3 differs from session ${i} of 9: give each entry a stream of its own, random.fork(i)`))
        },
        'detection is not for it': async () => {
          const { detect } = await make()
          ensure(!detect || !detect(headOf('x.jsonl', '{"text":"hello"}')), 'a loader that generates says that a file is its own')
        },
      }),
    )
  if (given.file !== undefined)
    groups.push(
      group('detection', {
        'its own file is known': () =>
          withFile(async (path) => {
            const { detect } = await make()
            if (detect) ensure(detect(await readHead(path!)), 'detect says no to the file of this case')
          }),
        'foreign and broken files are no error': async () => {
          const { detect } = await make()
          if (!detect) return
          for (const [name, text] of [['a.txt', ''], ['a.jsonl', '{"unrelated":1}'], ['a.json', '[]'], ['a.json', 'null'], ['a.csv', 'x,y\n1,2'], ['a.bin', '\0\u0001\u0002'], ['a.jsonl', '"text"'], ['a.jsonl', '{']] as const) {
            const answer = detect(headOf(name, text))
            ensure(answer === true || answer === false, `detect said ${shown(answer)} to a file ${shown(text)}`)
          }
        },
      }),
      group('bad lines', {
        'a broken line is told, and the others are read': () =>
          withFile(async (path) => {
            if (!path!.endsWith('.jsonl') || statSync(path!).isDirectory()) return
            const good = await load({ path: path! })
            const folder = mkdtempSync(join(tmpdir(), 'aiperf-conformance-'))
            const damaged = join(folder, basename(path!))
            const lines = readFileSync(path!, 'utf8').trimEnd().split('\n')
            writeFileSync(damaged, [...lines, '{"broken": ', '5', '{"conformance":"unrelated"}'].join('\n'))
            try {
              const { sessions, report } = await load({ path: damaged })
              ensure(report.counts.bad + report.counts.skipped >= good.report.counts.bad + 2, `two broken lines and one of another format were added, ${report.counts.bad} bad lines were told`)
              ensure(sessions.length >= good.sessions.length, `${good.sessions.length} sessions without the broken lines, ${sessions.length} with them`)
              ensure(report.counts.firstBad.some((text) => text.includes(`line ${lines.length + 1}`)), `the broken line ${lines.length + 1} is not named: ${shown(report.counts.firstBad)}`)
            } finally {
              rmSync(folder, { recursive: true, force: true })
            }
          }),
      }),
    )
  return groups
}

interface Watched {
  source: Source
  /** Readers that were begun and did not end. */
  readonly open: number
}

function watched(source: Source): Watched {
  let open = 0
  const watch = <T>(read: (path?: string) => AsyncIterable<T>) =>
    async function* (path?: string): AsyncGenerator<T> {
      open++
      try {
        yield* read(path)
      } finally {
        open--
      }
    }
  return {
    source: { ...source, lines: watch(source.lines), rows: watch(source.rows) },
    get open() {
      return open
    },
  }
}

function headOf(name: string, text: string): Head {
  let first: Head['first']
  try {
    const value = JSON.parse(text.split('\n')[0]!) as NonNullable<Head['first']>
    first = Array.isArray(value) ? value[0] : value
  } catch {
    first = undefined
  }
  return { name, path: `/nowhere/${name}`, type: 'file', bytes: Buffer.from(text), ...(first === undefined ? {} : { first }) }
}

function sessionFault(session: Session): string | undefined {
  if (typeof session.id !== 'string' || session.id === '') return 'has no id'
  if (!Array.isArray(session.turns) || session.turns.length === 0) return 'has no turns'
  if (!MODES.includes(session.contextMode)) return `has the context mode ${shown(session.contextMode)}`
  for (const [i, turn] of session.turns.entries()) {
    const content = turn.texts ?? turn.images ?? turn.audios ?? turn.videos ?? turn.rawMessages ?? turn.rawPayload
    if (content === undefined) return `has nothing to send in turn ${i}`
    for (const item of [turn.texts, turn.images, turn.audios, turn.videos].flatMap((items) => items ?? [])) if (!Array.isArray(item.contents) || !item.contents.every((c) => typeof c === 'string')) return `has contents that are no texts in turn ${i}`
    for (const key of ['timestampMs', 'delayMs', 'maxTokens'] as const) if (turn[key] !== undefined && !(Number.isFinite(turn[key]) && turn[key] >= 0)) return `has ${key} ${shown(turn[key])} in turn ${i}`
  }
  return undefined
}
