import type { Json } from '../contracts/dataset.js'
import { isJsonObject } from '../json.js'
import type { Given, SourceKind } from './given.js'
import type { OptionEntry } from './table.js'

const RANK: Record<SourceKind, number> = { point: 3, flag: 2, variable: 1, file: 0 }

/** The values that count, after a sweep's point > command line > environment > config file, and the names they were given by. */
export class Chosen {
  readonly #byEntry = new Map<OptionEntry, Given>()

  constructor(given: Iterable<Given> = []) {
    for (const item of [...given].sort((a, b) => RANK[a.source] - RANK[b.source])) this.set(item)
  }

  /** A value of a higher rank replaces one of a lower; mappings are merged and headers appended instead. */
  set(given: Given): void {
    const below = this.#byEntry.get(given.entry)
    this.#byEntry.set(given.entry, below ? { ...given, value: merged(given.entry, below.value, given.value) } : given)
  }

  of(entry: OptionEntry): Given | undefined {
    return this.#byEntry.get(entry)
  }

  /** The value given for a path, by whatever flag. */
  at(path: string): Given | undefined {
    for (const given of this.#byEntry.values()) if (given.entry.path === path) return given
    return undefined
  }

  values(): IterableIterator<Given> {
    return this.#byEntry.values()
  }
}

function merged(entry: OptionEntry, below: Json, above: Json): Json {
  if (entry.schema.text === 'headers' && Array.isArray(below) && Array.isArray(above)) return [...below, ...above]
  return isJsonObject(below) && isJsonObject(above) ? { ...below, ...above } : above
}
