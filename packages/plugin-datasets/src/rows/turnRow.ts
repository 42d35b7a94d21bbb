import { isJsonObject, type Json, type MediaItem, type Turn } from '@aiperf/core'
import { mediaContent, type Medium } from '../media/mediaFiles.js'
import type { TableRow } from '../tables/tableRow.js'
import { RowReader, shown, type RowReport } from './rowReader.js'

const MODALITIES = ['text', 'image', 'audio', 'video'] as const
type Modality = (typeof MODALITIES)[number]
const KEYS = [...MODALITIES, ...MODALITIES.map((name) => `${name}s`), 'image_uuids', 'timestamp', 'delay', 'role', 'session_id', 'output_length', 'extra', 'type']

/** A turn as rows of `single_turn`, `multi_turn` and `random_pool` describe it. */
export interface TurnRow {
  turn: Turn
  sessionId?: string
  file: string
  line: number
}

/** Whether a row is such a turn. */
export function looksLikeTurn(row: Json | undefined): boolean {
  return isJsonObject(row) && MODALITIES.some((name) => name in row || `${name}s` in row)
}

/**
 * Reads a turn; undefined when it was reported as bad. `at` names the part of the row it stands in, e.g. `turns[2].`.
 */
export async function readTurnRow(
  from: TableRow,
  report: RowReport,
  datasetPath: string | undefined,
  ignored: readonly string[] = [],
): Promise<TurnRow | undefined> {
  const row = new RowReader(from, report)
  const turn = await readTurn(row, datasetPath)
  const sessionId = row.id('session_id')
  row.onlyKnown([...KEYS, ...ignored])
  if (!row.accept()) return undefined
  return { turn, file: from.file, line: from.line, ...(sessionId === undefined ? {} : { sessionId }) }
}

/** The turn of a row; what is wrong is noted in the reader. */
export async function readTurn(row: RowReader, datasetPath: string | undefined): Promise<Turn> {
  const turn: Turn = {}
  for (const modality of MODALITIES) {
    row.notBoth(modality, `${modality}s`)
    const items = await readItems(row, modality, datasetPath)
    if (items) turn[`${modality}s`] = items
  }
  readUuids(row, turn)
  if (!row.has('image_uuids') && !MODALITIES.some((modality) => row.has(modality) || row.has(`${modality}s`)))
    row.wrong(`expected at least one of ${MODALITIES.map((name) => `${name}, ${name}s`).join(', ')}, got none`)
  row.notBoth('timestamp', 'delay')
  const timestampMs = row.number('timestamp', 'a time of 0 or more, ms')
  const delayMs = row.number('delay', 'a wait of 0 or more, ms')
  const maxTokens = row.integer('output_length', 'a whole number of tokens of at least 1', 1)
  const role = row.text('role')
  const extraBody = row.object('extra')
  if (timestampMs !== undefined) turn.timestampMs = timestampMs
  if (delayMs !== undefined) turn.delayMs = delayMs
  if (maxTokens !== undefined) turn.maxTokens = maxTokens
  if (role !== undefined) turn.role = role
  if (extraBody !== undefined) turn.extraBody = extraBody
  return turn
}

async function readItems(row: RowReader, modality: Modality, datasetPath: string | undefined): Promise<MediaItem[] | undefined> {
  const resolved = async (text: string, where: string): Promise<string> => {
    if (modality === 'text') return text
    try {
      return await mediaContent(text, modality as Medium, datasetPath)
    } catch (error) {
      row.wrong(`${where}: ${(error as Error).message}`)
      return text
    }
  }
  const single = row.text(modality)
  if (single === '') return row.expected(modality, 'a text that is not empty')
  if (single !== undefined) return [{ contents: [await resolved(single, modality)] }]
  const plural = `${modality}s`
  const list = row.array(plural, 'a list of texts')
  if (!list) return undefined
  if (list.length === 0) return row.expected(plural, 'at least one entry')
  const plain: string[] = []
  const items: MediaItem[] = []
  for (const [at, entry] of list.entries()) {
    if (typeof entry === 'string') plain.push(await resolved(entry, `${plural}[${at}]`))
    else if (isJsonObject(entry) && Array.isArray(entry['contents']) && entry['contents'].every((text) => typeof text === 'string')) {
      const contents: string[] = []
      for (const text of entry['contents'] as string[]) contents.push(await resolved(text, `${plural}[${at}]`))
      items.push({ ...(typeof entry['name'] === 'string' ? { name: entry['name'] } : {}), contents })
    } else return row.wrong(`${plural}[${at}]: expected a text or {"name", "contents": [texts]}, got ${shown(entry)}`)
  }
  if (plain.length > 0 && items.length > 0) return row.wrong(`${plural}: expected texts or objects, got both`)
  return plain.length > 0 ? [{ contents: plain }] : items
}

/** Cache ids of images: beside the images, or instead of them. */
function readUuids(row: RowReader, turn: Turn): void {
  const uuids = row.array('image_uuids', 'a list of texts')
  if (!uuids) return
  if (!uuids.every((id) => typeof id === 'string')) return row.expected('image_uuids', 'a list of texts')
  const images = turn.images
  if (!images) {
    turn.images = [{ contents: uuids.map(() => ''), uuids: uuids as string[] }]
    return
  }
  const [first] = images
  if (images.length !== 1 || first!.name !== undefined || first!.contents.length !== uuids.length)
    row.wrong(`image_uuids: expected one id for each of the images, got ${uuids.length} for ${images.reduce((sum, item) => sum + item.contents.length, 0)}`)
  else first!.uuids = uuids as string[]
}
