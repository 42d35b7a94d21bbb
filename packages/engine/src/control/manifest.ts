import { writeFileSync, renameSync } from 'node:fs'
import { availableParallelism, cpus, hostname, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { AiperfError, REDACTED, redactHeader, withoutUserInfo, type EndpointMeta, type JsonObject, type PhaseInfo, type RunModel } from '@aiperf/core'
import type { Host, IndexedPackage } from '@aiperf/core/host'
import { JOURNAL } from '../journal/read.js'
import { MANIFEST, type KeptManifest } from '../report/result.js'
import type { PrepareReport } from './messages.js'
import { VERSION } from './version.js'

/** The model without secrets: keys, secret headers, passwords in URLs. */
export function redact(model: RunModel): RunModel {
  const copy = structuredClone(model)
  if (copy.endpoint.apiKey !== undefined) copy.endpoint.apiKey = REDACTED
  copy.endpoint.headers = copy.endpoint.headers.map(([name, value]) => [name, redactHeader(name, value)])
  copy.endpoint.urls = copy.endpoint.urls.map(withoutUserInfo)
  return copy
}

/** Packages whose contributions can be used. */
export function usedPackages(host: Host): IndexedPackage[] {
  return host.index.packages.filter((p) => p.replacedBy === undefined && p.problem === undefined)
}

export interface ManifestInput {
  model: RunModel
  explicit: JsonObject
  command: string
  host: Host
  benchmarkId: string
  runHex: string
  seed: number
  unixNs: bigint
}

/** What is known of a run before it starts. */
export function startManifest(input: ManifestInput): KeptManifest {
  const { model, host } = input
  const redacted = redact(model)
  const meta = host.find('endpoint', model.endpoint.type).meta as unknown as EndpointMeta
  const [cpu] = cpus()
  return {
    schemaVersion: '1.0',
    aiperfVersion: VERSION,
    benchmarkId: input.benchmarkId,
    startUnixNs: input.unixNs.toString(),
    startTime: new Date(Number(input.unixNs / 1_000_000n)).toISOString(),
    command: input.command,
    options: redacted as unknown as JsonObject,
    explicitOptions: input.explicit,
    seed: input.seed,
    plugins: usedPackages(host).map((p) => ({
      package: p.name,
      version: p.version,
      contributions: host.index.contributions.filter((c) => c.package === p.name).map((c) => `${c.kind}:${c.name}`),
    })),
    dataset: { loader: model.dataset.type, sessions: 0, turns: 0, badLines: 0, skipped: 0 },
    host: {
      hostname: hostname(),
      platform: process.platform,
      release: release(),
      arch: process.arch,
      node: process.version,
      cpu: cpu?.model ?? '',
      cores: availableParallelism(),
      memoryBytes: totalmem(),
      clock: 'performance.now (CLOCK_MONOTONIC)',
    },
    phases: [],
    complete: false,
    wasCancelled: false,
    endpoint: {
      type: model.endpoint.type,
      metricsTitle: meta.metricsTitle,
      streaming: model.endpoint.streaming,
      urls: redacted.endpoint.urls,
      models: model.models,
      producesTokens: meta.producesTokens,
      tokenizesInput: meta.tokenizesInput,
      media: meta.media,
      producesVideos: meta.producesVideos ?? false,
    },
    client: {},
    notices: [],
    internal: { model: redacted, runHex: input.runHex },
  }
}

export function addPrepared(manifest: KeptManifest, report: PrepareReport): void {
  const { loader, sessions, turns, badLines, skipped, skippedReasons, provenance, hash, source, tokenizer, notices } = report
  manifest.dataset = { loader, sessions, turns, badLines, skipped, ...(hash === undefined ? {} : { hash }), ...(source === undefined ? {} : { source }), ...(skippedReasons ? { skippedReasons } : {}), ...(provenance ? { provenance } : {}) }
  if (tokenizer) manifest.tokenizer = tokenizer
  manifest.notices.push(...notices)
}

/** How the run ended. */
export function addEnding(manifest: KeptManifest, failure: Error | undefined): void {
  manifest.endTime = new Date().toISOString()
  const tooMany = manifest.phases.some((p) => p.endedBy === 'error-threshold')
  manifest.complete = failure === undefined && !manifest.wasCancelled && !tooMany
  if (!manifest.complete) manifest.incompleteReason = failure?.message ?? (tooMany ? 'the error threshold was crossed' : 'interrupted')
}

/** Written whole, again and again: what is on disk always describes the run so far. */
export function writeManifest(directory: string, manifest: KeptManifest): void {
  const path = join(directory, JOURNAL, MANIFEST)
  try {
    writeFileSync(`${path}.part`, JSON.stringify(manifest, undefined, 2))
    renameSync(`${path}.part`, path)
  } catch (cause) {
    throw new AiperfError('E_DISK', `writing ${path} failed: ${(cause as Error).message}`, { hint: 'Free some space on that disk, or choose another place with --artifact-dir.', cause })
  }
}

/** A running phase as the manifest shows it, should the program be killed. */
export function unfinished(info: PhaseInfo): PhaseInfo {
  return { ...info, endedBy: 'killed', endNs: info.startNs }
}
