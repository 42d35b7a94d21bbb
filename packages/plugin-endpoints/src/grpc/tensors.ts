import type { Json, JsonObject } from '@aiperf/core'
import { arrayOf, objectOf, stringOf } from '../decode/json.js'

/** Where the contents of a data type stand, and how many bytes an element takes in raw form (0: its length is before it). */
const TYPES: Readonly<Record<string, { field: string; bytes: number; read?: (b: Buffer, at: number) => number | boolean }>> = {
  BOOL: { field: 'bool_contents', bytes: 1, read: (b, at) => b[at] !== 0 },
  INT8: { field: 'int_contents', bytes: 1, read: (b, at) => b.readInt8(at) },
  INT16: { field: 'int_contents', bytes: 2, read: (b, at) => b.readInt16LE(at) },
  INT32: { field: 'int_contents', bytes: 4, read: (b, at) => b.readInt32LE(at) },
  INT64: { field: 'int64_contents', bytes: 8, read: (b, at) => Number(b.readBigInt64LE(at)) },
  UINT8: { field: 'uint_contents', bytes: 1, read: (b, at) => b[at]! },
  UINT16: { field: 'uint_contents', bytes: 2, read: (b, at) => b.readUInt16LE(at) },
  UINT32: { field: 'uint_contents', bytes: 4, read: (b, at) => b.readUInt32LE(at) },
  UINT64: { field: 'uint64_contents', bytes: 8, read: (b, at) => Number(b.readBigUInt64LE(at)) },
  FP32: { field: 'fp32_contents', bytes: 4, read: (b, at) => b.readFloatLE(at) },
  FP64: { field: 'fp64_contents', bytes: 8, read: (b, at) => b.readDoubleLE(at) },
  BYTES: { field: 'bytes_contents', bytes: 0 },
}

/**
 * The request message of a body in the protocol's JSON form: `{"inputs": [{"name", "datatype", "shape", "data"}], …}`.
 * Throws, with what is wrong, where it is none.
 */
export function requestOf(body: JsonObject, model: { name: string; version: string }, id: string): object {
  const inputs = arrayOf(body['inputs'])
  if (inputs.length === 0) throw new Error('expected a body with "inputs" in the form of the Open Inference Protocol')
  return {
    model_name: stringOf(body['model_name']) || model.name,
    model_version: stringOf(body['model_version']) || model.version,
    id: stringOf(body['id']) || id,
    parameters: parametersOf(body['parameters']),
    inputs: inputs.map(tensorOf),
    outputs: arrayOf(body['outputs']).map((output) => ({ name: stringOf(objectOf(output)?.['name']), parameters: parametersOf(objectOf(output)?.['parameters']) })),
  }
}

function tensorOf(input: Json): object {
  const tensor = objectOf(input) ?? {}
  const datatype = stringOf(tensor['datatype'])
  const type = TYPES[datatype]
  if (type === undefined) throw new Error(`input "${stringOf(tensor['name'])}" has the data type ${JSON.stringify(tensor['datatype'] ?? null)}; expected one of ${Object.keys(TYPES).join(', ')}`)
  const data = flat(tensor['data'])
  const values = datatype === 'BYTES' ? data.map((value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))) : data
  return { name: stringOf(tensor['name']), datatype, shape: arrayOf(tensor['shape']), parameters: parametersOf(tensor['parameters']), contents: { [type.field]: values } }
}

function flat(data: Json | undefined): Json[] {
  return Array.isArray(data) ? data.flatMap(flat) : data === undefined ? [] : [data]
}

function parametersOf(parameters: Json | undefined): Record<string, object> {
  const out: Record<string, object> = {}
  for (const [name, value] of Object.entries(objectOf(parameters) ?? {})) {
    if (typeof value === 'boolean') out[name] = { bool_param: value }
    else if (typeof value === 'number') out[name] = Number.isInteger(value) ? { int64_param: value } : { double_param: value }
    else out[name] = { string_param: typeof value === 'string' ? value : JSON.stringify(value) }
  }
  return out
}

/** A response message (as a plain object) in the protocol's JSON form. */
export function responseOf(message: Record<string, unknown>): JsonObject {
  const raw = (message['raw_output_contents'] ?? []) as Buffer[]
  const outputs = ((message['outputs'] ?? []) as Record<string, unknown>[]).map((output, i) => ({
    name: String(output['name'] ?? ''),
    datatype: String(output['datatype'] ?? ''),
    shape: (output['shape'] ?? []) as Json,
    data: dataOf(String(output['datatype'] ?? ''), output['contents'] as Record<string, unknown> | undefined, raw[i]),
  }))
  const parameters: JsonObject = {}
  for (const [name, value] of Object.entries((message['parameters'] ?? {}) as Record<string, Record<string, Json>>)) parameters[name] = Object.values(value)[0] ?? null
  return { model_name: String(message['model_name'] ?? ''), model_version: String(message['model_version'] ?? ''), id: String(message['id'] ?? ''), parameters, outputs }
}

function dataOf(datatype: string, contents: Record<string, unknown> | undefined, raw: Buffer | undefined): Json {
  const type = TYPES[datatype]
  if (type === undefined) return []
  if (raw !== undefined) return rawData(type, raw)
  const values = (contents?.[type.field] ?? []) as (Buffer | number | boolean)[]
  return values.map((value) => (Buffer.isBuffer(value) ? value.toString('utf8') : value))
}

/** Elements in a row, little-endian; of BYTES each with its length before it. */
function rawData({ bytes, read }: (typeof TYPES)[string], raw: Buffer): Json {
  const out: Json[] = []
  if (read !== undefined) {
    for (let at = 0; at + bytes <= raw.length; at += bytes) out.push(read(raw, at))
    return out
  }
  for (let at = 0; at + 4 <= raw.length; ) {
    const end = at + 4 + raw.readUInt32LE(at)
    out.push(raw.toString('utf8', at + 4, Math.min(end, raw.length)))
    at = end
  }
  return out
}
