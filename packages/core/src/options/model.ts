import type { AccuracyBenchmarkMeta } from '../contracts/accuracy.js'
import type { Json, JsonObject } from '../contracts/dataset.js'
import type { PhaseModel, RunModel } from '../contracts/run.js'
import type { IndexedContribution } from '../host/plugin-index.js'
import type { Chosen } from './chosen.js'
import { coreSchemas } from './core-schemas.js'
import { withDefaults } from './json-schema.js'
import { setAt } from './table.js'

/** What the run model holds besides core's own options. */
export interface ModelParts {
  phases: PhaseModel[]
  endpointOptions: JsonObject
  transportOptions: JsonObject
  tokenizerOptions: JsonObject
  datasetOptions: JsonObject
  exporterOptions: JsonObject
  metricOptions: JsonObject
  telemetry: Record<string, JsonObject>
  loader: IndexedContribution | undefined
  accuracy?: { benchmark: IndexedContribution; options: JsonObject; grader: IndexedContribution; graderOptions: JsonObject }
  ui: string
}

type Record_ = { [key: string]: Json }

/** Turns the values that were given, and the defaults of the rest, into the model of a run. */
export function buildModel(chosen: Chosen, parts: ModelParts): RunModel {
  const given: JsonObject = {}
  let seed: Json | undefined
  for (const { entry, value } of chosen.values()) {
    if (entry.path === '^randomSeed') seed = value
    else if (entry.owners.length === 0 && !entry.path.startsWith('^') && !entry.path.startsWith('phases.')) setAt(given, entry.path, value)
  }
  const body = withDefaults(coreSchemas().body, given) as JsonObject
  const section = (name: string) => body[name] as Record_
  const endpoint = section('endpoint')
  const dataset = section('dataset')
  const artifacts = section('artifacts')
  const runtime = section('runtime')
  const network = section('networkLatency')
  const tls = endpoint['tls'] as Record_
  const reset = endpoint['resetKvCache'] as Record_
  const profiler = endpoint['serverProfiler'] as Record_
  const { showInternal, experimental, ...thresholds } = section('metrics')
  return {
    models: body['models'] as string[],
    modelSelection: body['modelSelection'] as RunModel['modelSelection'],
    endpoint: {
      type: endpoint['type'] as string,
      urls: (endpoint['urls'] as string[]).map(withScheme),
      urlStrategy: endpoint['urlStrategy'] as string,
      ...optional('path', endpoint['path'] as string | undefined),
      streaming: endpoint['streaming'] as boolean,
      ...optional('apiKey', endpoint['apiKey'] as string | undefined),
      headers: endpoint['headers'] as unknown as [string, string][],
      extraInputs: endpoint['extra'] as JsonObject,
      useLegacyMaxTokens: endpoint['useLegacyMaxTokens'] as boolean,
      useServerTokenCount: endpoint['useServerTokenCount'] as boolean,
      perChunkUsage: endpoint['perChunkUsage'] as boolean,
      timeoutSeconds: endpoint['timeout'] as number,
      connectionReuse: endpoint['connectionReuse'] as RunModel['endpoint']['connectionReuse'],
      sessionHeader: endpoint['sessionHeader'] as string,
      affinityHeaders: endpoint['affinityHeaders'] as string[],
      waitForModel: {
        timeoutSeconds: endpoint['waitForModelTimeout'] as number,
        intervalSeconds: endpoint['waitForModelInterval'] as number,
        mode: endpoint['waitForModelMode'] as RunModel['endpoint']['waitForModel']['mode'],
      },
      ...optional('resetKvCache', isOn(chosen, reset, 'endpoint.resetKvCache.path') ? { path: reset['path'] as string, timeoutSeconds: reset['timeout'] as number } : undefined),
      ...optional(
        'serverProfiler',
        isOn(chosen, profiler, 'endpoint.serverProfiler.startPath', 'endpoint.serverProfiler.stopPath')
          ? { startPath: profiler['startPath'] as string, stopPath: profiler['stopPath'] as string, timeoutSeconds: profiler['timeout'] as number }
          : undefined,
      ),
      tls: { verify: tls['verify'] as boolean, ...optional('ca', tls['ca'] as string | undefined) },
      ipFamily: endpoint['ipVersion'] === 'auto' ? 0 : endpoint['ipVersion'] === '6' ? 6 : 4,
      options: parts.endpointOptions,
    },
    transport: { type: section('transport')['type'] as string, options: parts.transportOptions },
    tokenizer: {
      ...optional('name', section('tokenizer')['name'] as string | undefined),
      revision: section('tokenizer')['revision'] as string,
      trustRemoteCode: section('tokenizer')['trustRemoteCode'] as boolean,
      applyChatTemplate: section('tokenizer')['applyChatTemplate'] as boolean,
      options: parts.tokenizerOptions,
    },
    dataset: {
      type: ((dataset['type'] ?? dataset['publicDataset']) as string | undefined) ?? parts.loader?.name ?? 'auto',
      ...optional('path', dataset['path'] as string | undefined),
      ...optional('records', dataset['records'] as Json[] | undefined),
      ...optional('entries', dataset['entries'] as number | undefined),
      sampling: dataset['sampling'] as string,
      onBadLine: dataset['onBadLine'] as RunModel['dataset']['onBadLine'],
      preparation: dataset['preparation'] as NonNullable<RunModel['dataset']['preparation']>,
      ...optional('systemPrompt', dataset['systemPrompt'] as string | undefined),
      ...optional('systemPromptFile', dataset['systemPromptFile'] as string | undefined),
      cacheBust: dataset['cacheBust'] as RunModel['dataset']['cacheBust'],
      options: parts.datasetOptions,
    },
    ...optional('accuracy', parts.accuracy && accuracyOf(parts.accuracy, section('accuracy'))),
    phases: parts.phases,
    artifacts: {
      dir: artifacts['dir'] as string,
      dirGiven: chosen.at('artifacts.dir') !== undefined,
      ...optional('prefix', artifacts['prefix'] as string | undefined),
      level: artifacts['level'] as RunModel['artifacts']['level'],
      ...optional('sliceSeconds', artifacts['sliceDuration'] as number | undefined),
      httpTrace: artifacts['trace'] as boolean,
      showTraceTiming: artifacts['showTraceTiming'] as boolean,
      outputsJson: artifacts['exportOutputsJson'] as boolean,
      options: parts.exporterOptions,
    },
    slos: body['slos'] as Record<string, number>,
    metrics: { showInternal: showInternal as boolean, experimental: experimental as boolean, options: { ...thresholds, ...parts.metricOptions } },
    networkLatency: { automatic: network['enabled'] as boolean, ...optional('meanMs', network['mean'] as number | undefined), intervalSeconds: network['pingInterval'] as number },
    telemetry: parts.telemetry,
    ui: { type: parts.ui, intervalSeconds: section('ui')['interval'] as number },
    runtime: {
      ...optional('workers', runtime['workers'] as number | undefined),
      ...optional('recorders', runtime['recorders'] as number | undefined),
      ...optional('seed', seed as number | undefined),
      calibrate: runtime['calibrate'] as boolean,
      strict: runtime['strict'] as boolean,
      verbose: runtime['verbose'] as boolean,
      output: runtime['output'] as 'text' | 'json',
    },
  }
}

/** What the user leaves open is the benchmark's to say. */
function accuracyOf({ benchmark, options, grader, graderOptions }: NonNullable<ModelParts['accuracy']>, given: Record_): NonNullable<RunModel['accuracy']> {
  const { defaultShots = 0, defaultCot = false, defaultSystemPrompt } = benchmark.meta as unknown as AccuracyBenchmarkMeta
  return {
    benchmark: benchmark.name,
    options,
    tasks: given['tasks'] as string[],
    shots: (given['nShots'] as number | undefined) ?? defaultShots,
    cot: (given['enableCot'] as boolean | undefined) ?? defaultCot,
    grader: grader.name,
    graderOptions,
    ...optional('systemPrompt', (given['systemPrompt'] as string | undefined) ?? defaultSystemPrompt),
    verbose: given['verbose'] as boolean,
  }
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}

/** A hook is on when it is asked for, or when its path is. */
const isOn = (chosen: Chosen, hook: Record_, ...paths: string[]): boolean => hook['enabled'] === true || paths.some((path) => chosen.at(path) !== undefined)

/** `host:8000` means `http://host:8000`. */
const withScheme = (url: string): string => (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url) ? url : `http://${url}`)
