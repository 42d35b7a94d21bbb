import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { ConfigurationError, type LoadReport, type MediaItem, type Random, type Source, type Turn } from '@aiperf/core'
import type { Distribution } from './distributions/distribution.js'
import { looksLikeTurn, readTurnRow } from './rows/turnRow.js'
import { datasetRows } from './tables/datasetRows.js'
import { firstRows } from './tables/folderRows.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

const MODALITIES = ['texts', 'images', 'audios', 'videos'] as const
const SINGULAR = { texts: 'text', images: 'image', audios: 'audio', videos: 'video' } as const

interface Options {
  prompts?: { batchSize?: number; osl?: Distribution }
  images?: { batchSize?: number }
  audio?: { batchSize?: number }
  video?: { batchSize?: number }
}

interface Pool {
  /** File name without extension; names the media when there are several pools. */
  name: string
  turns: Turn[]
}

/**
 * Requests drawn at random from a file, or put together from one draw of each file of a folder. With a batch size, every
 * kind of content is drawn by itself.
 */
export default defineRecordedLoader<Options>({
  create(context) {
    return {
      // A file of single turns could be meant as either; only a folder speaks for itself.
      detect: (head) => head.type === 'directory' && holdsTurnFiles(head.path),
      async *load(source, report) {
        const pools = await readPools(source, report)
        if (pools.length === 0 || pools.some((pool) => pool.turns.length === 0)) return
        const root = context.random('dataset.pool')
        const batches = batchSizes(context.options, pools, source)
        for (let index = 0; index < context.entries; index++) {
          const random = root.fork(index)
          const turn = batches ? drawnByKind(pools[0]!, batches, random) : merged(pools.map((pool) => ({ name: pool.name, turn: pool.turns[random.fork(pool.name).integer(0, pool.turns.length - 1)]! })))
          yield { id: `session_${String(index).padStart(6, '0')}`, turns: [turn] }
        }
      },
    }
  },
})

const FILES = /\.(jsonl|csv|tsv|parquet|arrow)(\.gz|\.zst)?$/

function holdsTurnFiles(path: string): boolean {
  const rows = firstRows(path)
  return rows.length > 0 && rows.every(looksLikeTurn)
}

async function readPools(source: Source, report: LoadReport): Promise<Pool[]> {
  if (source.path === undefined || !statSync(source.path).isDirectory()) return [{ name: '', turns: await readTurns(source, report, source.path) }]
  const names = (await readdir(source.path)).filter((name) => FILES.test(name)).sort()
  return Promise.all(names.map(async (name) => ({ name: parse(name.replace(/\.(gz|zst)$/, '')).name, turns: await readTurns(source, report, join(source.path!, name)) })))
}

async function readTurns(source: Source, report: LoadReport, path: string | undefined): Promise<Turn[]> {
  const turns: Turn[] = []
  for await (const from of datasetRows(source, report, path)) {
    if ('timestamp' in from.row || 'delay' in from.row) {
      report.bad(from, 'expected no timestamp or delay: the requests of a pool are drawn, they have no time of their own')
      continue
    }
    const row = await readTurnRow(from, report, path)
    if (row) turns.push(row.turn)
  }
  return turns
}

/** One turn of several draws; the contents of each are named after its file. */
function merged(draws: readonly { name: string; turn: Turn }[]): Turn {
  if (draws.length === 1) return { ...draws[0]!.turn }
  const turn: Turn = {}
  for (const { name, turn: drawn } of draws) {
    for (const kind of MODALITIES) {
      const items = drawn[kind]
      if (items) turn[kind] = [...(turn[kind] ?? []), ...items.map((item): MediaItem => ({ name, ...item }))]
    }
    const { texts: _t, images: _i, audios: _a, videos: _v, ...rest } = drawn
    Object.assign(turn, rest)
  }
  return turn
}

type Batches = Record<(typeof MODALITIES)[number], number>

/** The batch sizes, when one of them is not 1. @throws ConfigurationError where a batch cannot be drawn. */
function batchSizes(options: Options, pools: readonly Pool[], source: Source): Batches | undefined {
  const { prompts, images, audio, video } = options
  const batches = { texts: prompts?.batchSize ?? 1, images: images?.batchSize ?? 1, audios: audio?.batchSize ?? 1, videos: video?.batchSize ?? 1 }
  if (Object.values(batches).every((size) => size === 1)) return undefined
  const flags = ['--prompt-batch-size', '--image-batch-size', '--audio-batch-size', '--video-batch-size'].filter((_, at) => Object.values(batches)[at] !== 1)
  const refuse = (why: string) => new ConfigurationError([{ flags, message: `${flags.join(', ')}: a batch is drawn from one file of unnamed contents; ${source.path ?? 'the dataset'} ${why}` }])
  if (pools.length > 1) throw refuse('is a folder of several files')
  const named = pools[0]!.turns.some((turn) => MODALITIES.some((kind) => turn[kind]?.some((item) => item.name !== undefined || item.uuids !== undefined)))
  if (named) throw refuse('has named contents')
  return batches
}

function drawnByKind(pool: Pool, batches: Batches, random: Random): Turn {
  const turn: Turn = {}
  for (const kind of MODALITIES) {
    const all = pool.turns.flatMap((each) => each[kind]?.flatMap((item) => item.contents) ?? [])
    if (all.length === 0 || batches[kind] === 0) continue
    const stream = random.fork(SINGULAR[kind])
    turn[kind] = [{ contents: Array.from({ length: batches[kind] }, () => all[stream.integer(0, all.length - 1)]!) }]
  }
  return turn
}
