import type { JsonSchema } from '../src/options/json-schema.js'
import type { IndexedContribution, PluginIndex } from '../src/host/plugin-index.js'
import type { Kind } from '../src/kinds.js'

const contribution = (kind: Kind, name: string, rest: Partial<IndexedContribution> = {}): IndexedContribution => ({
  kind, name, package: '@fixture/plugin', version: '1.0.0', entry: '/nowhere.js', api: 1, meta: {}, ...rest,
})
const options = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({ type: 'object', properties, required, additionalProperties: false })

const concurrency: JsonSchema = { type: 'integer', minimum: 1, flag: '--concurrency', warmupFlag: '--warmup-concurrency', comma: 'sweep' }
const prefillConcurrency: JsonSchema = { type: 'integer', minimum: 1, flag: '--prefill-concurrency', warmupFlag: '--warmup-prefill-concurrency', comma: 'sweep' }
const limits = { concurrency, prefillConcurrency }
const rateRamp: JsonSchema = {
  type: 'object', shorthand: 'duration', required: ['duration'], additionalProperties: false,
  properties: { duration: { type: 'number', exclusiveMinimum: 0, duration: true, flag: '--request-rate-ramp-duration', warmupFlag: '--warmup-request-rate-ramp-duration' }, strategy: { type: 'string', default: 'linear', contribution: 'ramp' } },
}
const isl: JsonSchema = {
  type: 'object', shorthand: 'mean', additionalProperties: false,
  properties: { mean: { type: 'number', minimum: 0, flag: '--prompt-input-tokens-mean', aliases: ['--isl'], comma: 'sweep' }, stddev: { type: 'number', minimum: 0, flag: '--prompt-input-tokens-stddev', aliases: ['--isl-stddev'] } },
}
const endpointMeta = { description: 'An endpoint', path: '/v1', streams: true, producesTokens: true, tokenizesInput: true, media: [], metricsTitle: 'LLM Metrics' }

/** What a handful of small plugins would offer. */
export const fixtureIndex: PluginIndex = {
  packages: [],
  contributions: [
    contribution('endpoint', 'chat', { meta: endpointMeta }),
    contribution('endpoint', 'embeddings', { meta: { ...endpointMeta, streams: false, producesTokens: false }, options: options({ dimensions: { type: 'integer', minimum: 1, flag: '--dimensions' } }) }),
    contribution('endpoint', 'image_retrieval', { meta: { ...endpointMeta, streams: false, producesTokens: false, tokenizesInput: false } }),
    contribution('transport', 'http', { meta: { schemes: ['http', 'https'] } }),
    contribution('dataset_loader', 'synthetic', {
      meta: { source: 'generated' },
      options: options({ prompts: { type: 'object', properties: { isl }, additionalProperties: false }, turns: { type: 'object', shorthand: 'mean', properties: { mean: { type: 'number', minimum: 1, flag: '--session-turns-mean' } }, additionalProperties: false } }),
    }),
    contribution('dataset_loader', 'single_turn', { meta: { source: 'file' } }),
    contribution('dataset_loader', 'mooncake_trace', { meta: { source: 'file', isTrace: true }, options: options({ blockSize: { type: 'integer', minimum: 1, default: 512, flag: '--isl-block-size' } }) }),
    contribution('dataset_loader', 'sharegpt', { meta: { source: 'public', file: true } }),
    contribution('dataset_sampler', 'sequential'),
    contribution('dataset_sampler', 'random'),
    contribution('tokenizer', 'builtin', { meta: { names: ['o200k_base'] } }),
    contribution('timing_mode', 'concurrency', { meta: { selectedBy: [], precedence: 100 }, options: options({ ...limits, concurrency: { ...concurrency, default: 1 } }) }),
    contribution('timing_mode', 'request_rate', {
      meta: { selectedBy: ['rate', 'rateSeries'], precedence: 30, types: { poisson: { pattern: 'poisson' }, constant: { pattern: 'constant' } } },
      options: options({
        rate: { type: 'number', exclusiveMinimum: 0, flag: '--request-rate', warmupFlag: '--warmup-request-rate', comma: 'sweep' },
        pattern: { type: 'string', flag: '--arrival-pattern', aliases: ['--request-rate-mode'], warmupFlag: '--warmup-arrival-pattern', contribution: 'arrival_pattern' },
        rateSeries: {
          type: 'object', shorthand: 'points', file: 'json', flag: '--request-rate-series', additionalProperties: false,
          properties: { points: { type: 'array', minItems: 2, items: { type: 'object', additionalProperties: false, required: ['timeS', 'qps'], properties: { timeS: { type: 'number', minimum: 0 }, qps: { type: 'number', exclusiveMinimum: 0 } } } } },
        },
        rateRamp, ...limits,
      }),
    }),
    contribution('timing_mode', 'user_centric', {
      meta: { selectedBy: ['rate', 'users'], precedence: 20, types: { user_centric_rate: {} } },
      options: options({ rate: { type: 'number', exclusiveMinimum: 0, flag: '--user-centric-rate' }, users: { type: 'integer', minimum: 1, flag: '--num-users', comma: 'sweep' }, ...limits }, ['rate', 'users']),
    }),
    contribution('timing_mode', 'fixed_schedule', {
      meta: { selectedBy: ['fixedSchedule'], precedence: 10 },
      options: options({ fixedSchedule: { type: 'boolean', flag: '--fixed-schedule' }, startOffset: { type: 'number', minimum: 0, flag: '--fixed-schedule-start-offset' }, ...limits }),
    }),
    contribution('arrival_pattern', 'poisson'),
    contribution('arrival_pattern', 'constant'),
    contribution('ramp', 'linear'),
    contribution('ui', 'simple'),
    contribution('ui', 'dashboard'),
    contribution('exporter', 'csv'),
    contribution('exporter', 'parquet', { options: options({ exportParquet: { type: 'boolean', default: false, flag: '--export-parquet' } }) }),
    contribution('telemetry_source', 'dcgm', {
      meta: { section: 'gpuTelemetry', selectedBy: 'items', onByDefault: true },
      options: options({ items: { type: 'array', items: { type: 'string' }, default: [], comma: 'list', flag: '--gpu-telemetry' }, disabled: { type: 'boolean', default: false, flag: '--no-gpu-telemetry' } }),
    }),
    contribution('telemetry_source', 'nvidia-smi', {
      meta: { section: 'gpuTelemetry', selectedBy: 'items', aliases: ['pynvml'] },
      options: options({ items: { type: 'array', items: { type: 'string' }, default: [], comma: 'list', flag: '--gpu-telemetry' }, disabled: { type: 'boolean', default: false, flag: '--no-gpu-telemetry' } }),
    }),
    contribution('metric', 'latency', {
      metrics: [
        { tag: 'time_to_first_token', header: 'TTFT', unit: 'ns', displayUnit: 'ms', kind: 'record', gates: ['streaming', 'tokens'], description: 'd' },
        { tag: 'request_latency', header: 'Latency', unit: 'ns', displayUnit: 'ms', kind: 'record', description: 'd' },
        { tag: 'request_throughput', header: 'Throughput', unit: 'requests/s', kind: 'derived', description: 'd' },
      ],
    }),
  ],
}
