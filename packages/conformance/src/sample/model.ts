import type { JsonObject, RunModel } from '@aiperf/core'

/** A run as a user would describe it: streaming chat, ten at a time. */
export function sampleModel(): RunModel {
  return {
    models: ['sample-model'], modelSelection: 'round_robin',
    endpoint: {
      type: 'chat', urls: ['http://127.0.0.1:8000'], urlStrategy: 'round_robin', streaming: true, headers: [], extraInputs: {}, useLegacyMaxTokens: false, useServerTokenCount: false, perChunkUsage: false, timeoutSeconds: 600,
      connectionReuse: 'pooled', sessionHeader: 'X-Correlation-ID', affinityHeaders: [], waitForModel: { timeoutSeconds: 0, intervalSeconds: 5, mode: 'inference' }, tls: { verify: true }, ipFamily: 0, options: {},
    },
    transport: { type: 'http', options: {} },
    tokenizer: { name: 'builtin', revision: 'main', trustRemoteCode: false, applyChatTemplate: false, options: {} },
    dataset: { type: 'synthetic', entries: 100, sampling: 'sequential', onBadLine: 'fail', cacheBust: 'none', options: { prompts: { isl: 128, osl: 64 } } },
    phases: [{ name: 'profiling', kind: 'profiling', mode: 'concurrency', options: { concurrency: 10 }, requests: 100, graceSeconds: 30, seamless: false, onTurnError: 'continue' }],
    artifacts: { dir: 'artifacts', dirGiven: false, level: 'records', httpTrace: false, showTraceTiming: false, outputsJson: false, options: {} },
    slos: {},
    metrics: { showInternal: false, experimental: false, options: {} },
    networkLatency: { automatic: false, intervalSeconds: 1 },
    telemetry: {},
    ui: { type: 'none', intervalSeconds: 5 },
    runtime: { workers: 1, recorders: 1, seed: 1, calibrate: false, strict: false, verbose: false, output: 'text' },
  }
}

/** The model as plain JSON, for manifests. */
export const modelAsJson = (): JsonObject => JSON.parse(JSON.stringify(sampleModel())) as JsonObject
