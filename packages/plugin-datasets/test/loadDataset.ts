import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom, type Contribution, type DatasetContext, type DatasetLoader, type Json, type JsonObject, type Session, type Tokenizer } from '@aiperf/core'
import { DatasetReport, openSource, readHead, type LoadCounts } from '@aiperf/core/host'
import { loadEncoding } from '../src/tokenizers/encodings.js'

let builtin: Tokenizer | undefined
/** o200k_base, loaded once per test file. */
export const tokenizer = (): Tokenizer => (builtin ??= loadEncoding('o200k_base')!)

export interface Setting {
  /** Name of the loader, for modules that serve several. */
  name?: string
  options?: JsonObject
  entries?: number
  fixedSchedule?: boolean
  onBadLine?: 'fail' | 'skip'
  seed?: number
  endpoint?: Partial<DatasetContext<unknown>['endpoint']>
  tokenizer?: Tokenizer
  records?: Json[]
}

type Loader = Contribution<'dataset_loader', DatasetContext<never>, DatasetLoader>

/** The loader as the host would make it. */
export async function makeLoader(contribution: unknown, setting: Setting = {}): Promise<DatasetLoader> {
  return (contribution as Loader).create({
    name: setting.name ?? '',
    options: (setting.options ?? {}) as never,
    entries: setting.entries ?? 100,
    fixedSchedule: setting.fixedSchedule ?? false,
    models: ['test-model'],
    endpoint: { type: 'chat', media: ['image', 'audio', 'video'], consumesSystemMessage: true, ...setting.endpoint },
    random: (name) => createRandom(setting.seed ?? 7, name),
    tokenizer: async () => setting.tokenizer ?? tokenizer(),
  })
}

/** Reads a dataset through a loader to its end. */
export async function loadDataset(contribution: unknown, path: string | undefined, setting: Setting = {}): Promise<{ sessions: Session[]; counts: LoadCounts }> {
  const report = new DatasetReport(setting.onBadLine ?? 'fail')
  const loader = await makeLoader(contribution, setting)
  const source = openSource({ ...(path === undefined ? {} : { path }), ...(setting.records ? { records: setting.records } : {}) }, report)
  const sessions: Session[] = []
  for await (const session of loader.load(source, report)) sessions.push(session)
  report.finish()
  return { sessions, counts: report.counts }
}

export async function detects(contribution: unknown, path: string, name = ''): Promise<boolean> {
  return (await makeLoader(contribution, { name })).detect?.(await readHead(path)) ?? false
}

/** A file with this content in a folder of its own. */
export function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), 'aiperf-dataset-')), name)
  writeFileSync(path, content)
  return path
}

export const jsonLines = (...rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** The only text of a turn. */
export const textOf = (session: Session, turn = 0): string => session.turns[turn]!.texts![0]!.contents[0]!
