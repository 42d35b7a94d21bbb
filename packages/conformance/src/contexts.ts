import { Writable } from 'node:stream'
import type { JsonObject, Kind } from '@aiperf/core'
import type { ContextOf } from '@aiperf/core/host'
import type { CommonCase, TokenizerCase } from './cases.js'
import { WORD_TOKENIZER } from './sample/word-tokenizer.js'
import { randomOf, type Subject } from './subject.js'

/** What a contribution is given when it is made for its own sake: the plainest run there is. */
export function neutralContext<K extends Kind>(subject: Subject<K>, given: CommonCase = {}): ContextOf<K> {
  const options = subject.options(given.options)
  const random = randomOf(1)
  const now = () => 0
  const contexts: { [kind in Kind]: () => unknown } = {
    endpoint: () => ({ options, streaming: false, models: ['model'], extraInputs: {}, useLegacyMaxTokens: false, useServerTokenCount: false, perChunkUsage: false }),
    transport: () => ({ options, now }),
    dataset_loader: () => ({ name: subject.name, options, random, tokenizer: async () => WORD_TOKENIZER, entries: 5, fixedSchedule: false, models: ['model'], endpoint: { type: 'chat', media: [], consumesSystemMessage: true } }),
    dataset_sampler: () => ({ size: 10, random }),
    tokenizer: () => ({ name: (given as TokenizerCase).as ?? subject.name, options }),
    timing_mode: () => undefined,
    arrival_pattern: () => undefined,
    ramp: () => undefined,
    metric: () => undefined,
    exporter: () => ({ options, random }),
    telemetry_source: () => ({ options, urls: ['http://127.0.0.1:9'], headers: {}, tls: { verify: true }, now, log: () => {} }),
    search_recipe: () => ({ options, random }),
    search_planner: () => ({ options, random, search: { kind: 'search', planner: subject.name, plannerOptions: options, dimensions: [{ path: 'phases.profiling.concurrency', low: 1, high: 64, integer: true }], objectives: [{ tag: 'request_throughput', stat: 'avg', direction: 'maximize' }], constraints: [{ tag: 'request_latency', stat: 'p95', op: '<=', threshold: 500 }], fixed: {}, maxIterations: 30 } }),
    convergence_criterion: () => ({ options, random }),
    url_strategy: () => ({ urls: 2, inFlight: () => 0, random, now }),
    plot: () => ({ options: { ...options, ...(subject.meta['options'] as JsonObject | undefined) }, random }),
    tool: () => ({ options, random }),
    ui: () => ({ stdout: nowhere(), stderr: nowhere(), title: 'aiperf', intervalSeconds: 5, interrupt: () => {} }),
    accuracy_benchmark: () => ({ name: subject.name, options, random, tasks: [], shots: 0, cot: false }),
    accuracy_grader: () => ({ options, random }),
  }
  return contexts[subject.kind]() as ContextOf<K>
}

/** A stream that takes everything and shows nothing, like a file. */
function nowhere(): NodeJS.WriteStream {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
  return Object.assign(stream, { isTTY: false, columns: 80, rows: 24, hasColors: () => false }) as unknown as NodeJS.WriteStream
}
