import type { Random } from './random.js'
import type { Tokenizer } from './tokenizer.js'

/** A JSON value: what crosses threads, files and the wire. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** A JSON object. */
export type JsonObject = { [key: string]: Json }

/** One named group of contents of a modality, e.g. the `query` texts of a ranking request. */
export interface MediaItem {
  /** Group name where the wire format distinguishes groups (`query`, `passages`); absent otherwise. */
  name?: string
  /** Texts; or URLs, `data:` URLs or `<format>,<base64>` strings for media. */
  contents: string[]
  /** Cache ids of images, aligned with `contents`. */
  uuids?: string[]
}

/** One request's worth of dataset content. */
export interface Turn {
  /**
   * May be a getter, where texts are made rather than read: with `inputTokens` beside it, it is read when the body is
   * needed, which may be long after the load, or never. It must give the same texts whenever it is read.
   */
  texts?: MediaItem[]
  /** Pictures, sounds and films of this turn. */
  images?: MediaItem[]
  audios?: MediaItem[]
  videos?: MediaItem[]
  /** Message role; `user` when absent. */
  role?: string
  /** Model of this turn; the run's first model when absent. */
  model?: string
  /** Upper limit of generated tokens; absent: none is sent. */
  maxTokens?: number
  /** Texts at which the model is to stop, for endpoints that have a field for them. */
  stop?: string[]
  /** Time within the trace, ms; fractional and large (Unix ms) values are legal. */
  timestampMs?: number
  /** Wait after the previous turn's reply, ms. 0 is a value, not "missing". */
  delayMs?: number
  /** Messages in wire form, used instead of the modalities above. */
  rawMessages?: Json[]
  /** Tools beside `rawMessages`, in wire form. */
  rawTools?: Json[]
  /** System message beside `rawMessages`, in wire form, for endpoints that keep it apart from the messages. */
  rawSystem?: Json
  /** The whole request body, sent as it is for every endpoint type. */
  rawPayload?: Json
  /** Merged over the body last. */
  extraBody?: JsonObject
  /** Headers of this request alone; they override those of the run. */
  extraHeaders?: Record<string, string>
  /** Forget everything before this turn. */
  resetContext?: boolean
  /** Seconds of audio in this turn, where known (ASR metrics). */
  audioSeconds?: number
  /** Hash ids of the prompt's KV blocks, where the trace gives them (prefix-cache metrics). */
  hashIds?: readonly number[]
  /** Tokens of a block of `hashIds`. */
  blockSize?: number
  /** Length of this turn's own texts as the dataset asked for it, tokens (without system message, context and history). */
  inputTokens?: number
}

/**
 * What turn k sends:
 * - `deltas_without_responses`: all earlier turns, the live replies, then this turn;
 * - `deltas_with_responses`: all earlier turns of the dataset (which hold recorded answers), no live replies;
 * - `message_array_with_responses`: this turn's own array only.
 */
export type ContextMode = 'deltas_without_responses' | 'deltas_with_responses' | 'message_array_with_responses'

/** One conversation of the dataset: what a session plays. */
export interface Session {
  /** Unique within the dataset. */
  id: string
  turns: Turn[]
  /** System message, for endpoints that have one. */
  system?: string
  /** A leading user message unique to this session. */
  userContext?: string
  /** What is sent of earlier turns; absent: `deltas_without_responses`. */
  contextMode?: ContextMode
}

/** The first bytes of a source, for format detection. */
export interface Head {
  /** File name without folder. */
  name: string
  /** Absolute path, for formats whose description stands at the end of the file. */
  path: string
  /** `file` or `directory`. */
  type: 'file' | 'directory'
  /** The first record, parsed, when the file is JSON lines or a JSON array/object; undefined otherwise. */
  first?: Json
  /** The first bytes of the file, decompressed. */
  bytes: Uint8Array
}

/** Where a loader reads from. All reading is streaming: a file may be larger than memory. */
export interface Source {
  /** Absolute path of the file or folder; undefined for loaders that generate. */
  path?: string
  /** Inline records of a config file, instead of a path. */
  records?: Json[]
  /**
   * The non-blank lines of a text file: decompressed (gzip, zstd), byte-order mark removed, CRLF tolerated.
   * `line` is the physical line number from 1, blank lines counted.
   */
  lines(path?: string): AsyncIterable<{ line: number; text: string; file: string }>
  /** As `lines`, parsed as JSON objects; a line that is no JSON object is reported through `LoadReport.bad`. */
  rows(path?: string): AsyncIterable<{ line: number; row: JsonObject; file: string }>
}

/** How a loader talks to the host while it loads. */
export interface LoadReport {
  /**
   * A record that cannot be used: file, line, reason (what was expected, what was got). Under `--on-bad-line fail`
   * (the default) loading ends with a message listing the bad lines; under `skip` they are counted.
   */
  bad(where: { file: string; line: number }, reason: string): void
  /** A record left out on purpose by the format's own rule (an empty conversation, a filter), with the reason. */
  skipped(reason: string): void
  /** Something a person should know, said once per run. */
  warn(message: string): void
  /** Work that takes long, such as a download: how much of it is done, and of how much where that is known. */
  progress(what: string, done: number, total?: number): void
  /** Where data that is not on this machine came from (name, revision, hash…), for the run's manifest. */
  provenance(entry: JsonObject): void
}

/** What a loader is given besides its options. */
export interface DatasetContext<Options> {
  /** The name by which the loader was chosen; one module may serve several. */
  name: string
  options: Options
  /** Random stream by name; derived from the run's seed. Entry i must not depend on how many entries there are. */
  random(name: string): Random
  /** The run's tokenizer; resolved on first use, an error with the reason when there is none. */
  tokenizer(): Promise<Tokenizer>
  /** Number of entries asked for, for loaders that generate or that honour a limit. */
  entries: number
  /**
   * What the host puts into every prompt besides the loader's texts (a cache-busting marker): loaders that generate to
   * a length take it off the message that carries it. Absent: nothing.
   */
  reserved?(): Promise<{ where: 'system' | 'first-turn'; tokens: number }>
  /** True when the profile replays time stamps, so that a first turn without one is an error. */
  fixedSchedule: boolean
  /** Model names of the run, first is the default. */
  models: readonly string[]
  /** `takesText` false: what is sent has no text of a turn in it, so that none need be made. */
  endpoint: { type: string; media: readonly string[]; consumesSystemMessage: boolean; takesText?: boolean }
}

/** What a dataset loader declares in its manifest entry (`meta`). */
export interface DatasetMeta {
  description: string
  /** Rows may hold time stamps: fixed schedule is chosen by itself when the first one does. */
  isTrace?: boolean
  /** `file`: needs `--input-file`; `generated`: needs none; `public`: downloads. */
  source: 'file' | 'generated' | 'public'
  /** Of a public set: a file of the same form can be read instead, by `--input-file`. */
  file?: true
  /** Every payload of this format is sent as it is. */
  verbatim?: boolean
  /** Tokens per KV block of hash-id traces. */
  blockSize?: number
}

/** Whether a loader with this `meta` can be given `--input-file`. */
export const readsFiles = (meta: { readonly source?: unknown; readonly file?: unknown }): boolean => meta.source === 'file' || meta.file === true

/** Turns a source into sessions. */
export interface DatasetLoader {
  /** Whether this format fits, judged by the first bytes; loaders that generate answer false. */
  detect?(head: Head): boolean
  /** Sessions in the order of the source, one at a time. Rows that cannot be used go to `report`; what makes the whole source useless is an `AiperfError` (`E_DATASET`). */
  load(source: Source, report: LoadReport): AsyncIterable<Session>
}

/** Chooses the dataset index of the n-th new session. Pure: `at(n)` is a function of seed and n. */
export interface DatasetSampler {
  /** Dataset index (0 … size−1) of the n-th session (from 0). */
  at(n: number): number
}
