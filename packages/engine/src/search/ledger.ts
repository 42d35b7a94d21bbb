import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError, type JsonObject, type MetricResult } from '@aiperf/core'

const FOLDER = 'checkpoints'
const PLAN = join(FOLDER, 'plan.json')
const RUNS = join(FOLDER, 'runs.jsonl')

/** A run as the ledger keeps it: enough to make every aggregate without looking at its folder. */
export interface RunRecord {
  /** Index of the point, or of the iteration. */
  cell: number
  trial: number
  label: string
  seed: number | undefined
  /** Relative to the plan's folder. */
  directory: string
  status: 'ok' | 'failed' | 'cancelled'
  /** Why it failed. */
  error?: string
  verdict?: 'valid' | 'suspect' | 'invalid'
  /** Codes of the reasons why it is not valid. */
  doubts?: string[]
  benchmarkId?: string
  /** When it began, ISO 8601, and how long it took from the first thread to the last file. */
  startTime: string
  seconds: number
  /** From the first request to the last answer. */
  measuredSeconds?: number
  metrics: MetricResult[]
}

/** What a plan is made of, as far as it decides which runs are made: two that differ are two plans. */
export interface PlanFacts {
  sweepId: string
  fingerprint: JsonObject
}

/**
 * The memory of a plan in its folder: what was planned, and one line for each run that ended, on the disk before the next
 * begins. A line that was cut by a crash counts as not written.
 */
export class Ledger {
  readonly #runs = new Map<string, RunRecord>()
  #file: number | undefined

  private constructor(
    readonly directory: string,
    readonly facts: PlanFacts,
  ) {}

  /** A new plan; what an earlier one left here is forgotten. */
  static begin(directory: string, facts: PlanFacts): Ledger {
    rmSync(join(directory, FOLDER), { recursive: true, force: true })
    mkdirSync(join(directory, FOLDER), { recursive: true })
    writeWhole(join(directory, PLAN), facts)
    return new Ledger(directory, facts)
  }

  /** Goes on with the plan of a folder. Throws when there is none, or another one than `fingerprint`. */
  static resume(directory: string, fingerprint: JsonObject): Ledger {
    const facts = Ledger.planOf(directory)
    if (!facts)
      throw new AiperfError('E_CONFIG', `--resume: ${directory} holds no plan to go on with.`, { hint: 'Name the folder of the interrupted start with --artifact-dir, or leave --resume out.' })
    const changes = differences(facts.fingerprint, fingerprint)
    if (changes.length > 0)
      throw new AiperfError('E_CONFIG', `--resume: the plan has changed since ${directory} was begun: ${changes.slice(0, MAX_CHANGES).join('; ')}${changes.length > MAX_CHANGES ? `; and ${changes.length - MAX_CHANGES} more` : ''}.`, {
        hint: 'Give the same options as at the first start, or begin anew without --resume.',
      })
    const ledger = new Ledger(directory, facts)
    for (const record of readRuns(join(directory, RUNS))) ledger.#runs.set(keyOf(record), record)
    return ledger
  }

  /** The plan of a folder; undefined when there is none. */
  static planOf(directory: string): PlanFacts | undefined {
    const path = join(directory, PLAN)
    if (!existsSync(path)) return undefined
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as PlanFacts
    } catch (cause) {
      throw new AiperfError('E_JOURNAL', `${path} cannot be read: ${(cause as Error).message}`, { cause })
    }
  }

  add(record: RunRecord): void {
    this.#runs.set(keyOf(record), record)
    this.#file ??= openSync(join(this.directory, RUNS), 'a')
    // A line of its own even after one that was cut.
    writeSync(this.#file, `\n${JSON.stringify(record)}`)
    fsyncSync(this.#file)
  }

  run(cell: number, trial: number): RunRecord | undefined {
    return this.#runs.get(keyOf({ cell, trial }))
  }

  /** Every run, by point, then by number. */
  runs(): RunRecord[] {
    return [...this.#runs.values()].sort((a, b) => a.cell - b.cell || a.trial - b.trial)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

const MAX_CHANGES = 5
const keyOf = ({ cell, trial }: Pick<RunRecord, 'cell' | 'trial'>): string => `${cell}/${trial}`

function readRuns(path: string): RunRecord[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as RunRecord]
      } catch {
        return []
      }
    })
}

/** Where two JSON values differ, as sentences: `phases.0.requests was 100, is 200`. */
export function differences(before: unknown, now: unknown, path = ''): string[] {
  if (isBranch(before) && isBranch(now) && Array.isArray(before) === Array.isArray(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)])
    return [...keys].flatMap((key) => differences((before as JsonObject)[key], (now as JsonObject)[key], path === '' ? key : `${path}.${key}`))
  }
  return JSON.stringify(before) === JSON.stringify(now) ? [] : [`${path} was ${shown(before)}, is ${shown(now)}`]
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null
function shown(value: unknown): string {
  const text = value === undefined ? 'not there' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Writes a JSON file whole: a reader never sees half of it. */
export function writeWhole(path: string, content: unknown): void {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}
