import { DISTRIBUTIONS } from '../timing/distribution.js'

/** One option of the mock server as data: enough to make a command-line flag, check a value and write a table. */
export interface OptionDescription {
  /** Path in `MockServerOptions`: `ttftMs`, `model.maxRunning`, `faults.cutRate`. */
  readonly name: string
  /** Name of the command-line flag, without the dashes. */
  readonly flag: string
  /** `integers` and `strings` are lists, written with commas on a command line. */
  readonly type: 'number' | 'integer' | 'boolean' | 'string' | 'integers' | 'strings'
  readonly default: number | boolean | string | readonly (number | string)[] | undefined
  readonly help: string
  readonly min?: number
  readonly max?: number
  readonly choices?: readonly string[]
}

type Limits = Pick<OptionDescription, 'min' | 'max' | 'choices'>
type Row = readonly [name: string, type: OptionDescription['type'], standard: OptionDescription['default'], help: string, limits?: Limits]

const positive = { min: 0 }
const count = { min: 1 }
const share = { min: 0, max: 1 }
const law = { choices: DISTRIBUTIONS }

const rows: readonly Row[] = [
  ['host', 'string', '127.0.0.1', 'Address to listen on.'],
  ['port', 'integer', 0, 'TCP port; 0 takes a free one.', { min: 0, max: 65535 }],
  ['seed', 'integer', 0, 'Seed of all that is drawn; the same seed gives the same answers per request ordinal.', positive],

  ['ttftMs', 'number', 0, 'Mean time to first token, in ms.', positive],
  ['ttftStddevMs', 'number', 0, 'Standard deviation of the time to first token, in ms.', positive],
  ['ttftDistribution', 'string', undefined, 'Law of the time to first token; normal where a deviation is given, else fixed.', law],
  ['itlMs', 'number', 0, 'Mean gap between two tokens, in ms.', positive],
  ['itlStddevMs', 'number', 0, 'Standard deviation of the gap between two tokens, in ms.', positive],
  ['itlDistribution', 'string', undefined, 'Law of the gap between two tokens; normal where a deviation is given, else fixed.', law],
  ['instant', 'boolean', false, 'No pacing: all events back to back, each in a write of its own.'],
  ['coalesce', 'boolean', false, 'With instant: the whole answer in one write.'],
  ['pacing', 'string', 'thread', 'How to wait for what is due: a helper thread, a busy loop, or plain timers (1 ms).', { choices: ['thread', 'spin', 'timer'] }],

  ['outputTokens', 'number', undefined, 'Mean number of tokens of an answer; without it the max tokens asked for, else 128.', count],
  ['outputTokensStddev', 'number', 0, 'Standard deviation of the number of tokens.', positive],
  ['outputTokensDistribution', 'string', undefined, 'Law of the number of tokens; normal where a deviation is given, else fixed.', law],
  ['honorMaxTokens', 'boolean', true, "Whether a request's max tokens, min tokens and ignore_eos count."],
  ['tokensPerChunk', 'integer', 1, 'Tokens that one event carries.', count],
  ['reasoningShare', 'number', 0, 'Share of the tokens, the first ones, sent as reasoning_content.', share],
  ['toolCallRate', 'number', 0, 'Share of the requests with tools that are answered by a tool call.', share],

  ['roleChunk', 'string', 'separate', "The assistant's role: an event before the first token, with it, at arrival, or none.", { choices: ['separate', 'merged', 'early', 'none'] }],
  ['finishChunk', 'string', 'separate', 'The finish reason: an event of its own, or with the last token.', { choices: ['separate', 'merged'] }],
  ['usage', 'string', 'on-request', 'When a stream reports usage.', { choices: ['on-request', 'always', 'never'] }],
  ['usageChunk', 'string', 'separate', 'Usage in an event with no choices, or in the finish event.', { choices: ['separate', 'merged'] }],
  ['done', 'boolean', true, 'Whether a stream ends with data: [DONE].'],
  ['pingMs', 'number', 0, 'Interval of comment lines in every open stream, in ms; 0 for none.', positive],

  ['models', 'strings', ['mock-model'], 'Names of the models served.'],
  ['strictModel', 'boolean', false, 'Answer 404 to a request for another model.'],
  ['embeddingDimensions', 'integer', 16, 'Length of an embedding vector.', count],
  ['videoMs', 'number', 500, 'How long the job of a video takes, in ms.', positive],
  ['parse', 'string', 'auto', 'Read the JSON of every request, or only where something depends on it.', { choices: ['auto', 'always'] }],

  ['model', 'boolean', false, 'Batch, queue and prefix cache in place of the time distributions; implied by its options.'],
  ['model.prefillMsPerToken', 'number', 0.02, 'Prefill time per uncached prompt token, in ms.', positive],
  ['model.stepMs', 'number', 5, "Constant part of a step's time, in ms.", positive],
  ['model.stepMsPerSequence', 'number', 0.05, "What each decoding request adds to a step's time, in ms.", positive],
  ['model.maxRunning', 'integer', 64, 'Requests that run at the same time; the others wait in line.', count],
  ['model.maxBatchedTokens', 'integer', 8192, 'Tokens of one step, decoded and prefilled.', count],
  ['model.kvTokens', 'integer', 131072, 'Tokens of KV cache.', count],
  ['model.cacheBlockTokens', 'integer', 16, 'Tokens of a prefix-cache block; 0 for no prefix cache.', positive],

  ['faults.errorRate', 'number', 0, 'Share of requests answered by an error status.', share],
  ['faults.errorStatuses', 'integers', [500, 503, 429], 'Statuses to pick from.', { min: 400, max: 599 }],
  ['faults.cutRate', 'number', 0, 'Share of streams that end in the middle, with no finish reason.', share],
  ['faults.resetRate', 'number', 0, 'Share of streams whose connection is reset in the middle.', share],
  ['faults.truncateRate', 'number', 0, 'Share of streams whose connection is closed within a chunk.', share],
  ['faults.errorEventRate', 'number', 0, 'Share of streams with an error event in the middle.', share],
  ['faults.stallRate', 'number', 0, 'Share of streams that pause once.', share],
  ['faults.stallMs', 'number', 1000, 'Length of that pause, in ms.', positive],
  ['faults.malformedRate', 'number', 0, 'Share of streams with an event of broken JSON.', share],
  ['faults.slowHeadersRate', 'number', 0, 'Share of responses whose head comes in two parts.', share],
  ['faults.slowHeadersMs', 'number', 500, 'Time between the two parts of the head, in ms.', positive],
  ['faults.dropRate', 'number', 0, 'Share of responses after which the connection is closed though keep-alive was promised.', share],
  ['faults.commentRate', 'number', 0, 'Share of streams with comment lines between the events.', share],
  ['faults.crlfRate', 'number', 0, 'Share of streams whose lines end with CR LF.', share],
  ['faults.splitRate', 'number', 0, 'Share of responses sent in small pieces cut at any byte.', share],
  ['faults.jsonBodyRate', 'number', 0, 'Share of streams answered by a JSON body.', share],

  ['log', 'string', undefined, 'File that the truth of each request is appended to, as JSON lines.'],
  ['truthMax', 'integer', 100_000, 'Truth records kept in memory, the newest.', positive],
  ['promptHash', 'boolean', false, "Put a hash of the prompt's text into the truth."],
  ['captureRequests', 'boolean', false, 'Put the headers and body of each request into the truth.'],
  ['idleTimeoutMs', 'number', 0, 'Close a connection idle this long, in ms; 0 for never.', positive],
  ['maxHeaderBytes', 'integer', 65_536, 'Longest request head.', { min: 256 }],
  ['maxBodyBytes', 'integer', 67_108_864, 'Longest request body.', count],
]

/** Every option that can be written on a command line. The library alone has `countTokens` and `routes` besides. */
export const MOCK_SERVER_OPTIONS: readonly OptionDescription[] = rows.map(([name, type, standard, help, limits]) => ({
  name,
  flag: flagOf(name),
  type,
  default: standard,
  help,
  ...limits,
}))

function flagOf(name: string): string {
  if (name === 'model') return 'batching'
  return name
    .replace(/^faults\./, 'fault.')
    .replace(/^model\./, 'batching.')
    .replace(/\.|(?=[A-Z])/g, '-')
    .toLowerCase()
}
