/** What a running phase looks like; sent a few times a second. */
export interface LiveSnapshot {
  stage: 'preparing' | 'warmup' | 'profiling' | 'grace' | 'records' | 'exporting' | 'done'
  phase: string
  /** Progress of preparation: what, how many done, of how many. */
  preparing?: { what: string; done: number; total?: number }
  elapsedSeconds: number
  sent: number
  completed: number
  errors: number
  inFlight: number
  sessionsInFlight: number
  /** Sessions whose last turn returned. */
  sessionsCompleted?: number
  skipped: number
  /** Expected totals, when known: the phase ends at the first. */
  expected: { requests?: number; sessions?: number; seconds?: number }
  offeredPerSecond?: number
  /** Requests that ended, per second, over the last few seconds. */
  achievedPerSecond: number
  /** Over the last few seconds. */
  outputTokensPerSecond: number
  /** Milliseconds at p50, p90, p99 of what ended so far in the phase. */
  latency: Partial<Record<'ttft' | 'itl' | 'latency' | 'lag', { p50: number; p90: number; p99: number }>>
  /** Median of what ended since the snapshot before, ms; absent where nothing did. */
  recent?: Partial<Record<'ttft' | 'itl' | 'latency' | 'lag', number>>
  /** Errors by class, most frequent first, with the last message. */
  errorClasses: { type: string; count: number; message: string }[]
  workers: { id: number; inFlight: number; sent: number; completed: number; errors: number; utilization: number; bytesRead: number }[]
  /** Backlog of the recorders, bytes. */
  backlogBytes: number
  telemetry: { source: string; label: string; value: string }[]
  /** Where this run stands in a sweep, a search or repeated runs. */
  sweep?: { done: number; total?: number; point: string; best?: string }
}

/** What a view is given. */
export interface UiContext {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  title: string
  /** Seconds between lines of output that is not a terminal. */
  intervalSeconds: number
  /** Called when the person asks to end the run. */
  interrupt(): void
}

/** What is shown while a run goes on. */
export interface Ui {
  /** Called a few times a second; must not take long. */
  update(snapshot: LiveSnapshot): void
  /** One line for the person, beside the view. */
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void
  /** Restores the terminal. */
  close(): Promise<void>
}
