/**
 * The prepared dataset in shared memory: bodies encoded once, before the run, and one row of numbers per turn.
 * Every thread reads it without copying.
 */
export const TURN_FIELDS = [
  /** Segment, byte offset and length of the body; segment −1: the body is made during the run. */
  'segment', 'offset', 'length',
  'inputTokens', 'requestedTokens', 'timestampMs', 'delayMs', 'images', 'audioSeconds', 'model', 'prefixHitBlocks', 'prefixBlocks',
  /** Segment, offset and length of extra headers as flat JSON; segment −1: none. */
  'headersSegment', 'headersOffset', 'headersLength',
] as const
export type TurnField = (typeof TURN_FIELDS)[number]
export const TURN_INDEX = Object.fromEntries(TURN_FIELDS.map((n, i) => [n, i])) as Record<TurnField, number>

export const SESSION_FIELDS = [
  'firstTurn', 'turns',
  /** JSON of the session, for those whose later bodies are made during the run; segment −1: all bodies are ready. */
  'segment', 'offset', 'length',
  'idSegment', 'idOffset', 'idLength',
] as const
export type SessionField = (typeof SESSION_FIELDS)[number]
export const SESSION_INDEX = Object.fromEntries(SESSION_FIELDS.map((n, i) => [n, i])) as Record<SessionField, number>

export const WANTED_WORDS = 64

/** In place of a turn's input tokens: they are counted when its request is recorded. */
export const UNCOUNTED = -1

/** In place of a segment's number: the bytes stand in the file of bodies. */
export const IN_FILE = 2 ** 31

/** What is posted to every thread. */
export interface StoreShared {
  segments: SharedArrayBuffer[]
  turns: SharedArrayBuffer
  sessions: SharedArrayBuffer
  turnCount: number
  sessionCount: number
  /** Descriptor of the file of bodies, where memory was not to hold them all. */
  file?: number
  /**
   * One word per session, 1 when its bodies are there, then `WANTED_WORDS` in which workers ask for a session (its index
   * plus 1). Absent: all bodies are there. See `BodyMaker`.
   */
  made?: SharedArrayBuffer
  /** Content type, accept header and path of the prepared bodies. */
  wire: { method: string; path?: string; contentType: string; accept: string; headers: string[] }
}
