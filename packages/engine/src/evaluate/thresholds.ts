/** Where a result stops being trusted. `docs/verdict.md` shows this table; every figure is in the unit named. */
export const THRESHOLDS = {
  /** Schedule lag, 99th percentile, as a share of the median latency that was measured (TTFT when streaming). */
  lagShare: { suspect: 0.1, invalid: 0.5, unit: 'share', meaning: 'p99 of the schedule lag against the median of the shortest latency measured' },
  /** Lags below this are what timers do. */
  lagFloor: { suspect: 2, unit: 'ms', meaning: 'p99 of the schedule lag below which it is never a reason' },
  workerUtilization: { suspect: 0.85, invalid: 0.97, unit: 'share', meaning: 'busy share of the event loop of the busiest worker' },
  workerDelayShare: { suspect: 0.1, invalid: 0.5, unit: 'share', meaning: "p99 of a worker's event-loop delay against the median of the shortest latency measured" },
  workerDelayFloor: { suspect: 5, unit: 'ms', meaning: 'event-loop delay (p99) below which it is never a reason' },
  processCpu: { suspect: 0.95, unit: 'share', meaning: 'CPU time of the process against all cores it may use' },
  backlog: { note: 5, unit: 's', meaning: 'time the recorders needed after the last response' },
  floorShare: { suspect: 0.1, invalid: 0.5, unit: 'share', meaning: "this client's own latency (median, calibrated) against the median of the shortest latency measured" },
  headroomUsed: { suspect: 0.7, unit: 'share', meaning: 'requests or chunks per second against what this client can do (calibrated)' },
  samples: { suspect: 36, note: 368, unit: 'requests', meaning: 'successful requests: p90, and p99, need this many to be bounded with 95 % confidence' },
  errorRate: { note: 0, suspect: 1, invalid: 10, unit: '%', meaning: 'share of completed requests that failed' },
  rateShortfall: { suspect: 5, invalid: 20, unit: '%', meaning: 'requests sent per second below those due per second' },
  rateOff: { suspect: 5, unit: '%', meaning: 'requests due per second beside the rate asked for, beyond three standard errors' },
  backlogGrowth: { suspect: 1.4, unit: 'share', meaning: 'requests under way when an open loop stopped sending, against the average (1 while latencies hold, 2 for a queue that grows)' },
  dropped: { suspect: 1, invalid: 20, unit: '%', meaning: 'arrivals that found no slot, or were never sent, of those due' },
  concurrency: { note: 0.9, unit: 'share', meaning: 'usual concurrency against the one asked for' },
  tokenMismatch: { suspect: 10, unit: '%', meaning: "difference between the server's and the client's output tokens, median" },
  promptMismatch: { note: 25, unit: '%', meaning: "difference between the server's and the client's prompt tokens, median (a chat template adds some)" },
  oslMismatch: { note: 10, unit: '%', meaning: 'requests whose output length is not the one asked for' },
  cacheExcess: { suspect: 5, unit: 'points', meaning: 'prompt tokens read from a cache, in percent, beyond what the dataset itself repeats' },
  repeats: { note: 5, unit: '%', meaning: 'first turns of which the conversation had been sent before' },
  censored: { note: 0, suspect: 1, invalid: 20, unit: '%', meaning: 'requests unfinished at the end, of those sent' },
  chunkTokens: { note: 1.5, unit: 'tokens', meaning: 'median tokens per chunk' },
  retried: { note: 1, unit: '%', meaning: 'requests sent again on a fresh connection' },
} as const satisfies Record<string, { note?: number; suspect?: number; invalid?: number; unit: string; meaning: string }>

export type ThresholdName = keyof typeof THRESHOLDS
