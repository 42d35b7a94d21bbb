import { z } from 'zod'

// The options of a run that belong to no plugin and to no phase, as a zod object: the `benchmark` mapping of a config file.
// Only the build imports this module.

const onOff = (description: string, flag: string, group: string) => z.boolean().default(false).describe(description).meta({ flag, group })

const SERVER = 'Server Control'
const serverPath = (standard: string, description: string, flag: string) => z.string().min(1).default(standard).describe(description).meta({ flag, group: SERVER, value: '<path>' })
const serverTimeout = (description: string, flag: string) => z.number().positive().default(30).describe(description).meta({ flag, group: SERVER, duration: true, value: '<seconds>' })

const model = z.strictObject({
  models: z
    .array(z.string().min(1))
    .default([])
    .describe('Model name, as the server knows it; several are used as the selection strategy says')
    .meta({ flag: '--model-names', aliases: ['--model', '-m'], group: 'Endpoint', comma: 'list', single: true, value: '<name>' }),
  modelSelection: z
    .enum(['round_robin', 'random'])
    .default('round_robin')
    .describe('Which of several models a request asks for')
    .meta({ flag: '--model-selection-strategy', group: 'Endpoint' }),
})

const endpoint = z
  .strictObject({
    type: z.string().default('chat').describe('Kind of API to speak').meta({ flag: '--endpoint-type', group: 'Endpoint', contribution: 'endpoint' }),
    urls: z
      .array(z.string().min(1))
      .min(1)
      .default(['http://localhost:8000'])
      .describe('Base URL of the server; several are used in turn')
      .meta({ flag: '--url', aliases: ['-u'], group: 'Endpoint', comma: 'list', value: '<url>' }),
    urlStrategy: z
      .string()
      .default('round_robin')
      .describe('Which of several URLs a new session goes to')
      .meta({ flag: '--url-strategy', group: 'Endpoint', contribution: 'url_strategy' }),
    path: z
      .string()
      .min(1)
      .optional()
      .describe("Path that replaces the endpoint type's own")
      .meta({ flag: '--custom-endpoint', aliases: ['--endpoint'], group: 'Endpoint', value: '<path>' }),
    streaming: onOff('Ask for a stream and measure each chunk', '--streaming', 'Endpoint'),
    apiKey: z.string().min(1).optional().describe('Key for the Authorization header').meta({ flag: '--api-key', group: 'Endpoint', secret: true, value: '<key>' }),
    headers: z
      .array(z.tuple([z.string().min(1), z.string()]))
      .default([])
      .describe('Header of every request, Name:Value; may be given several times')
      .meta({ flag: '--header', aliases: ['-H'], group: 'Input', text: 'headers', secret: true, value: '<Name:Value>' }),
    extra: z
      .record(z.string(), z.json())
      .default({})
      .describe('Fields merged into every request body, as key:value pairs or a JSON object')
      .meta({ flag: '--extra-inputs', group: 'Input', text: 'pairs', paths: ['endpoint.extraInputs'], value: '<key:value>' }),
    useLegacyMaxTokens: onOff('Send max_tokens, not max_completion_tokens', '--use-legacy-max-tokens', 'Endpoint'),
    useServerTokenCount: onOff("Take token counts from the server's usage instead of counting them", '--use-server-token-count', 'Endpoint'),
    perChunkUsage: onOff('Ask the server for usage in every chunk', '--per-chunk-usage', 'Endpoint'),
    timeout: z
      .number()
      .positive()
      .default(21_600)
      .describe('Longest time of one request, seconds')
      .meta({ flag: '--request-timeout-seconds', group: 'Endpoint', duration: true, paths: ['endpoint.timeoutSeconds'], value: '<seconds>' }),
    connectionReuse: z
      .enum(['pooled', 'never', 'sticky-user-sessions'])
      .default('pooled')
      .describe('Connections are shared by all requests, opened for each, or kept for each session')
      .meta({ flag: '--connection-reuse-strategy', group: 'Endpoint' }),
    sessionHeader: z
      .string()
      .min(1)
      .default('X-Correlation-ID')
      .describe("Name of the header that carries the session's id")
      .meta({ flag: '--session-header', group: 'Endpoint', value: '<name>' }),
    affinityHeaders: z
      .array(z.string().min(1))
      .default(['X-Session-Affinity'])
      .describe("Further headers that carry the session's id, for routers")
      .meta({ env: ['AIPERF_AFFINITY_HEADERS'], comma: 'list' }),
    waitForModelTimeout: z
      .number()
      .min(0)
      .default(0)
      .describe('Wait this long for the server to be ready before the run, seconds; 0: do not')
      .meta({ flag: '--wait-for-model-timeout', group: 'Endpoint', duration: true, value: '<seconds>' }),
    waitForModelInterval: z
      .number()
      .positive()
      .default(5)
      .describe('Time between two readiness checks, seconds')
      .meta({ flag: '--wait-for-model-interval', group: 'Endpoint', duration: true, value: '<seconds>' }),
    waitForModelMode: z
      .enum(['models', 'inference', 'both'])
      .default('inference')
      .describe('Readiness is a small inference request that succeeds, the model list, or both')
      .meta({ flag: '--wait-for-model-mode', group: 'Endpoint' }),
    resetKvCache: z
      .strictObject({
        enabled: onOff('Empty the server’s prefix cache before the first phase', '--reset-kv-cache', SERVER),
        path: serverPath('/reset_prefix_cache', 'Path that empties the prefix cache, without the host', '--reset-kv-cache-path'),
        timeout: serverTimeout('Longest time of a cache reset, seconds', '--reset-kv-cache-timeout-seconds'),
      })
      .prefault({})
      .meta({ shorthand: 'enabled' }),
    serverProfiler: z
      .strictObject({
        enabled: onOff('Start the server’s own profiler before each profiling phase and stop it after', '--server-profiler', SERVER),
        startPath: serverPath('/start_profile', 'Path that starts the profiler, without the host', '--server-profiler-start-path'),
        stopPath: serverPath('/stop_profile', 'Path that stops the profiler, without the host', '--server-profiler-stop-path'),
        timeout: serverTimeout('Longest time of a profiler call, seconds', '--server-profiler-timeout-seconds'),
      })
      .prefault({})
      .meta({ shorthand: 'enabled' }),
    tls: z
      .strictObject({
        verify: z.boolean().default(true).describe("Check the server's certificate").meta({ flag: '--tls-verify', group: 'Endpoint', env: ['AIPERF_HTTP_SSL_VERIFY'] }),
        ca: z.string().min(1).optional().describe('File of certificate authorities to trust, PEM').meta({ flag: '--tls-ca', group: 'Endpoint', value: '<file>' }),
      })
      .default({ verify: true }),
    ipVersion: z
      .enum(['4', '6', 'auto'])
      .default('4')
      .describe('IP version of the connections')
      .meta({ flag: '--ip-version', group: 'Endpoint', env: ['AIPERF_HTTP_IP_VERSION'] }),
  })
  .prefault({})

const transport = z
  .strictObject({
    type: z.string().default('http').describe('How the bytes travel').meta({ flag: '--transport', aliases: ['--transport-type'], group: 'Endpoint', contribution: 'transport', paths: ['endpoint.transport'] }),
  })
  .prefault({})
  .meta({ shorthand: 'type' })

const tokenizer = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .describe('Tokenizer: builtin (o200k_base), a folder with tokenizer.json, or a name; the model name when not given')
      .meta({ flag: '--tokenizer', group: 'Tokenizer', value: '<name>' }),
    revision: z.string().min(1).default('main').describe('Revision of a tokenizer that is fetched by name').meta({ flag: '--tokenizer-revision', group: 'Tokenizer', value: '<revision>' }),
    trustRemoteCode: onOff('Accept tokenizers that bring code; none is ever run here', '--tokenizer-trust-remote-code', 'Tokenizer'),
    applyChatTemplate: onOff("Count the tokens of the model's chat template too", '--apply-chat-template', 'Tokenizer'),
  })
  .prefault({})
  .meta({ shorthand: 'name' })

const dataset = z
  .strictObject({
    name: z.string().min(1).default('main').describe('Name of the dataset, for paths'),
    type: z
      .string()
      .optional()
      .describe('Format of the input file, or how the data is generated; found by looking when not given')
      .meta({ flag: '--custom-dataset-type', group: 'Input', contribution: 'dataset_loader', paths: ['dataset.format'] }),
    publicDataset: z
      .string()
      .optional()
      .describe('A public dataset, fetched when it is not on this machine yet')
      .meta({ flag: '--public-dataset', group: 'Input', contribution: 'dataset_loader', where: { source: ['public'] } }),
    path: z.string().min(1).optional().describe('Dataset file or folder').meta({ flag: '--input-file', group: 'Input', value: '<path>' }),
    records: z.array(z.json()).min(1).optional().describe('Records of the dataset, in the config file itself'),
    entries: z
      .int()
      .min(1)
      .optional()
      .describe('Sessions to generate (100, or as many as the run needs), or to take from a file or public dataset (all)')
      .meta({ flag: '--num-dataset-entries', aliases: ['--num-prompts'], group: 'Conversation Input', value: '<count>' }),
    sampling: z
      .string()
      .default('sequential')
      .describe('Order in which the sessions of the dataset are played')
      .meta({ flag: '--dataset-sampling-strategy', group: 'Input', contribution: 'dataset_sampler' }),
    onBadLine: z
      .enum(['fail', 'skip'])
      .default('fail')
      .describe('A line that cannot be used ends the run before it starts, or is counted and left out')
      .meta({ flag: '--on-bad-line', group: 'Input' }),
    preparation: z
      .enum(['auto', 'before', 'during'])
      .default('auto')
      .describe('Whether generated prompts are made before the run, or ahead of need while it goes on, which begins at once and makes only what is sent; auto: before, unless they are more than 6 million tokens. With before, the tokens of large recorded prompts are counted before the run too')
      .meta({ flag: '--dataset-preparation', group: 'Input' }),
    systemPrompt: z
      .string()
      .regex(/\S/)
      .optional()
      .describe('System message of every conversation, before its own if it has one')
      .meta({ flag: '--system-prompt', group: 'Prefix Prompt', value: '<text>' }),
    systemPromptFile: z
      .string()
      .min(1)
      .optional()
      .describe('File that holds the system message of every conversation')
      .meta({ flag: '--system-prompt-file', group: 'Prefix Prompt', value: '<file>' }),
    cacheBust: z
      .enum(['none', 'system-prefix', 'system-suffix', 'first-turn-prefix', 'first-turn-suffix', 'warmup-isolation-system', 'warmup-isolation-first-turn'])
      .default('none')
      .describe('Where a marker goes that differs for every session played, so that no prefix cache knows its prompt')
      .meta({ flag: '--cache-bust', group: 'Cache Bust', paths: ['dataset.prompts.cacheBust.target'] }),
  })
  .prefault({})

const ACCURACY = 'Accuracy'
const accuracy = z
  .strictObject({
    benchmark: z
      .string()
      .optional()
      .describe('Benchmark whose problems are asked instead of a dataset, each once unless a count or a duration says otherwise; answers are graded')
      .meta({ flag: '--accuracy-benchmark', group: ACCURACY, contribution: 'accuracy_benchmark' }),
    tasks: z.array(z.string().min(1)).default([]).describe('Tasks of the benchmark that are asked; all when not given').meta({ flag: '--accuracy-tasks', group: ACCURACY, comma: 'list', value: '<task>' }),
    nShots: z.int().min(0).max(32).optional().describe("Solved examples before each question; the benchmark's own number when not given").meta({ flag: '--accuracy-n-shots', group: ACCURACY, value: '<count>' }),
    enableCot: z.boolean().optional().describe("Ask the model to think step by step, or not (--no-accuracy-enable-cot); the benchmark's own way when not given").meta({ flag: '--accuracy-enable-cot', group: ACCURACY }),
    grader: z.string().optional().describe("Grader of the answers; the benchmark's own when not given").meta({ flag: '--accuracy-grader', group: ACCURACY, contribution: 'accuracy_grader' }),
    systemPrompt: z.string().regex(/\S/).optional().describe("System message of every problem, in place of the benchmark's own; before the prompt where an endpoint has no system message").meta({ flag: '--accuracy-system-prompt', group: ACCURACY, value: '<text>' }),
    verbose: onOff('List every answer that is not right', '--accuracy-verbose', ACCURACY),
  })
  .prefault({})

const artifacts = z
  .strictObject({
    dir: z.string().min(1).default('artifacts').describe('Folder for the files of the run').meta({ flag: '--output-artifact-dir', aliases: ['--artifact-dir'], group: 'Output', value: '<folder>' }),
    prefix: z
      .string()
      .min(1)
      .optional()
      .describe('Beginning of the names of the exported files')
      .meta({ flag: '--profile-export-prefix', aliases: ['--profile-export-file'], group: 'Output', value: '<name>' }),
    level: z
      .enum(['summary', 'records', 'raw'])
      .default('records')
      .describe('Files of the summary only, of each request too, or of each request and response in full')
      .meta({ flag: '--export-level', aliases: ['--profile-export-level'], group: 'Output' }),
    sliceDuration: z
      .number()
      .positive()
      .optional()
      .describe('Length of a time slice for per-slice files, seconds')
      .meta({ flag: '--slice-duration', group: 'Output', duration: true, value: '<seconds>' }),
    trace: onOff('Write the phases of each HTTP exchange to the per-request file', '--export-http-trace', 'HTTP Trace'),
    showTraceTiming: onOff('Show the phases of the HTTP exchanges in the console', '--show-trace-timing', 'HTTP Trace'),
    exportOutputsJson: onOff('Write the generated texts to outputs.json', '--export-outputs-json', 'Output'),
  })
  .prefault({})

export const body = z.strictObject({
  ...model.shape,
  endpoint,
  transport,
  tokenizer,
  dataset,
  accuracy,
  artifacts,
  slos: z
    .record(z.string(), z.number())
    .default({})
    .describe('Objectives of a good request, TAG:VALUE in the unit of the console, e.g. "time_to_first_token:300"')
    .meta({ flag: '--goodput', group: 'Goodput', text: 'numbers', value: '<tag:value>' }),
  metrics: z
    .strictObject({
      showInternal: z.boolean().default(false).describe('Show internal metrics too').meta({ env: ['AIPERF_DEV_SHOW_INTERNAL_METRICS'] }),
      experimental: z.boolean().default(false).describe('Compute experimental metrics too').meta({ env: ['AIPERF_DEV_SHOW_EXPERIMENTAL_METRICS'] }),
      oslMismatchPct: z.number().min(0).max(100).default(5).describe('Difference of asked and produced tokens that is reported, percent').meta({ env: ['AIPERF_METRICS_OSL_MISMATCH_PCT_THRESHOLD'] }),
      oslMismatchTokens: z.int().min(1).default(50).describe('Difference of asked and produced tokens that is reported, tokens').meta({ env: ['AIPERF_METRICS_OSL_MISMATCH_MAX_TOKEN_THRESHOLD'] }),
      usageDiffPct: z.number().min(0).max(100).default(10).describe("Difference of the client's and the server's token counts that is reported, percent").meta({ env: ['AIPERF_METRICS_USAGE_PCT_DIFF_THRESHOLD'] }),
    })
    .prefault({}),
  networkLatency: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Measure the network round trip during the run').meta({ flag: '--network-latency-automatic', group: 'Network Latency' }),
      mean: z.number().min(0).optional().describe('Known network round trip, ms').meta({ flag: '--network-latency-mean', group: 'Network Latency', value: '<ms>' }),
      pingInterval: z
        .number()
        .positive()
        .default(1)
        .describe('Time between two measurements of the round trip, seconds')
        .meta({ flag: '--network-latency-ping-interval', group: 'Network Latency', duration: true, env: ['AIPERF_NETWORK_LATENCY_DEFAULT_PROBE_INTERVAL'], value: '<seconds>' }),
    })
    .prefault({}),
  ui: z
    .strictObject({
      type: z.string().optional().describe('What is shown while the run goes on').meta({ flag: '--ui-type', aliases: ['--ui'], group: 'UI', contribution: 'ui', paths: ['runtime.ui'] }),
      interval: z
        .number()
        .min(0)
        .max(1000)
        .default(5)
        .describe('Time between two lines of progress, seconds')
        .meta({ flag: '--stats-interval', group: 'UI', duration: true, env: ['AIPERF_UI_REALTIME_METRICS_INTERVAL'], value: '<seconds>' }),
    })
    .prefault({})
    .meta({ shorthand: 'type' }),
  runtime: z
    .strictObject({
      workers: z.int().min(1).optional().describe('Worker threads that send requests; found by the number of processors when not given').meta({ flag: '--workers-max', aliases: ['--max-workers'], group: 'Workers', value: '<count>' }),
      recorders: z.int().min(1).optional().describe('Threads that decode and count what came back').meta({ flag: '--record-processor-service-count', aliases: ['--record-processors'], group: 'Workers', value: '<count>' }),
      calibrate: onOff("Measure this machine's own timing error before the run", '--calibrate', 'Workers'),
      strict: onOff('Exit with code 3 when the verdict is not valid', '--strict', 'Output'),
      verbose: z.boolean().default(false).describe('Say more on stderr').meta({ flag: '--verbose', aliases: ['-v'], group: 'UI' }),
      output: z.enum(['text', 'json']).default('text').describe('Form of the results on stdout').meta({ flag: '--output', group: 'Output' }),
    })
    .prefault({}),
})
