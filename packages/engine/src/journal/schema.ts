import { FACTS } from '@aiperf/core'
import { Field, Float64, List, Schema, Uint16, Uint32, Uint8, Utf8, type DataType } from 'apache-arrow'

const TYPES: Record<'f64' | 'u32' | 'u16' | 'u8', () => DataType> = {
  f64: () => new Float64(),
  u32: () => new Uint32(),
  u16: () => new Uint16(),
  u8: () => new Uint8(),
}

/** Arrow schema of the journal: the facts, then the token stamps, counts, and the texts. */
export function journalSchema(): Schema {
  return new Schema(
    [
      ...Object.entries(FACTS).map(([name, type]) => new Field(name, TYPES[type](), false)),
      new Field('tokenNs', new List(new Field('item', new Float64(), false)), false),
      new Field('tokenCounts', new List(new Field('item', new Uint32(), false)), false),
      new Field('finishReason', new Utf8(), true),
      new Field('error', new Utf8(), true),
      new Field('fields', new Utf8(), true),
    ],
    new Map([['aiperf.journal', '1']]),
  )
}
