import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RecordView, RunModel, Ui } from '@aiperf/core'
import { buildIndex, contributionsOf, type PluginIndex } from '@aiperf/core/host'
import { resolveRun } from '@aiperf/core/options'
import { runBenchmark, type RunOutcome } from '@aiperf/engine'
import { createView, readJournal } from '@aiperf/engine/journal'

export const PACKAGES = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export const SOURCES = readdirSync(PACKAGES)
  .filter((name) => name.startsWith('plugin-') && existsSync(join(PACKAGES, name, 'aiperf.manifest.json')))
  .map((name) => ({ directory: join(PACKAGES, name), origin: 'bundled' as const }))

/** Every plugin of the workspace, as the command line would find them. */
export const index: PluginIndex = buildIndex(SOURCES)

export const scratch = (): string => mkdtempSync(join(tmpdir(), 'aiperf-test-'))

const SILENT: Ui = { update: () => {}, log: () => {}, close: () => Promise.resolve() }

/** The model of a run from flags, as a user gives them. */
export async function modelOf(url: string, flags: string): Promise<RunModel> {
  // A tokenizer for what has no text tokens is refused.
  const tokenizer = /--endpoint-type (image_retrieval|audio_transcription)\b/.test(flags) ? [] : ['--tokenizer', 'builtin']
  const argv = ['--model', 'test-model', '--url', url, ...tokenizer, '--no-calibrate', '--artifact-dir', scratch(), ...flags.split(' ').filter(Boolean)]
  const { model, problems } = await resolveRun({ index, argv, env: {} })
  if (!model) throw new Error(problems.map((p) => p.message).join('\n'))
  // What else runs on this machine is not part of these tests.
  for (const { name } of contributionsOf(index, 'telemetry_source')) model.telemetry[name] = { enabled: false }
  return model
}

export interface Profiled extends RunOutcome {
  rows: Row[]
  printed: string
}

/** One record, kept. */
export type Row = Omit<RecordView, 'field' | 'tokenNs' | 'tokenCounts'> & { tokenNs: number[] }

export interface ProfileOptions {
  ui?: Partial<Ui>
  interrupt?: AbortSignal
  change?(model: RunModel): void
  /** Other plugins than those of the workspace. */
  index?: PluginIndex
}

/** Runs with these flags against a server, and reads the journal. */
export async function profile(url: string, flags: string, options: ProfileOptions = {}): Promise<Profiled> {
  const model = await modelOf(url, flags)
  options.change?.(model)
  let printed = ''
  const outcome = await runBenchmark(model, {
    index: options.index ?? index,
    explicit: {},
    command: 'aiperf profile',
    ui: { ...SILENT, ...options.ui },
    interrupt: options.interrupt ?? new AbortController().signal,
    console: { columns: 120, color: false, verbose: false, output: 'text' },
    print: (text) => void (printed += text),
  })
  return { ...outcome, printed, rows: await rowsOf(outcome.directory) }
}

/** The journal's rows by ordinal. */
export async function rowsOf(directory: string): Promise<Row[]> {
  const view = createView()
  const rows: Row[] = []
  for await (const batch of readJournal(directory)) {
    view.batch = batch
    for (view.row = 0; view.row < batch.rows; view.row++) {
      const row: Record<string, unknown> = { outcomeName: view.outcomeName, success: view.success, finishReason: view.finishReason, error: view.error, tokenNs: [...view.tokenNs] }
      for (const name of Object.keys(batch.columns)) row[name] = view[name as 'ordinal']
      rows.push(row as unknown as Row)
    }
  }
  return rows.sort((a, b) => a.ordinal - b.ordinal)
}

/** Value of a metric of the profiling phases. */
export function metric(run: RunOutcome, tag: string, stat: 'avg' | 'count' | 'p50' | 'max' = 'avg'): number | undefined {
  return run.result.profiling.metrics.get(tag)?.[stat]
}
