import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError, type Adds, type ArtifactDir, type Exporter, type ExporterMeta, type JsonObject, type RunModel, type RunResult } from '@aiperf/core'
import { contributionsOf, createHost, type Host, type PluginIndex } from '@aiperf/core/host'
import { RunArtifacts } from './artifacts.js'
import { collectTypedArrays, leanly } from './lean.js'
import { loadMetrics } from './metrics.js'
import { eachPaced, type Pause } from './paced.js'
import { JOURNAL, loadJournalReader } from '../journal/read.js'
import { NETWORK_LATENCY } from '../server/network-latency.js'
import { collectAdditions } from '../telemetry/index.js'
import { loadResult, readManifest } from './result.js'

export interface ExportContext {
  index: PluginIndex
  console: ArtifactDir['console']
  print(text: string): void
  warn(message: string): void
}

export interface Exported {
  directory: string
  result: RunResult
  files: string[]
  /** Faults of exporters; the others did their work. */
  failures: AiperfError[]
}

/** Evaluates a run's directory and writes every file again, from the journal alone. */
export async function exportRun(directory: string, context: ExportContext): Promise<Exported> {
  const { internal } = readManifest(directory)
  return exportWith(directory, context, await prepareExport(internal.model, context))
}

type AnyExporter = Exporter & Partial<Adds>

export interface ExportTools {
  host: Host
  /** Exporters that cannot be loaded: the others do their work, and the run says so. */
  broken: AiperfError[]
  metrics: Awaited<ReturnType<typeof loadMetrics>>
  exporters: { name: string; meta: ExporterMeta; exporter: AnyExporter }[]
}

/** Loads metrics and exporters: work that a run does while it waits, with pauses then. */
export async function prepareExport(model: RunModel, context: Pick<ExportContext, 'index' | 'warn'>, pause?: Pause): Promise<ExportTools> {
  const host = createHost(context.index)
  const metrics = await loadMetrics(host, context.warn, pause)
  const broken: AiperfError[] = []
  const loaded = await eachPaced(contributionsOf(context.index, 'exporter'), pause, async ({ name, package: owner, meta }) => {
    try {
      const options = (model.artifacts.options[name] ?? {}) as JsonObject
      return [{ name, meta: meta as unknown as ExporterMeta, exporter: (await host.activate('exporter', `${owner}:${name}`, { options, random: noRandom })) as AnyExporter }]
    } catch (error) {
      broken.push(error as AiperfError)
      return []
    }
  })
  await pause?.()
  await loadJournalReader()
  return { host, metrics, exporters: loaded.flat(), broken }
}

const noRandom = (): never => {
  throw new Error('exporters draw no random numbers')
}

export function exportWith(directory: string, context: ExportContext, tools: ExportTools): Promise<Exported> {
  return leanly(() => evaluateAndWrite(directory, context, tools))
}

async function evaluateAndWrite(directory: string, context: ExportContext, tools: ExportTools): Promise<Exported> {
  const { host, metrics, exporters } = tools
  const { result, faults, close } = await loadResult(directory, host, metrics)
  collectTypedArrays()
  const { prefix } = result.output
  const dir = new RunArtifacts(directory, { ...(prefix === undefined ? {} : { prefix }), console: context.console, print: context.print })
  const failures: AiperfError[] = [...tools.broken, ...faults]
  const guarded = async (name: string, work: () => unknown): Promise<void> => {
    try {
      await work()
    } catch (cause) {
      const known = (cause as Error).name === 'AiperfError' ? (cause as AiperfError) : undefined
      failures.push(known ?? new AiperfError('E_EXPORT', `The exporter "${name}" failed: ${(cause as Error).message}`, { cause }))
    }
  }
  await guarded('additions', async () => void (result.additions = await collectAdditions(result, exporters.map((e) => e.exporter))))
  await guarded('manifest', () => dir.write('manifest.json', `${JSON.stringify(result.manifest, undefined, 2)}\n`))
  await guarded('network latency', () => exportNetworkLatency(dir))
  const files = exporters.filter((e) => e.meta.target === 'file')
  await Promise.all(files.map(({ name, exporter }) => guarded(name, () => exporter.write(result, dir))))
  const consoles = exporters.filter((e) => e.meta.target === 'console').sort((a, b) => (a.meta.order ?? 0) - (b.meta.order ?? 0))
  for (const { name, exporter } of consoles) await guarded(name, () => exporter.write(result, dir))
  const { wasCancelled } = result.manifest
  await guarded('ready', () => dir.write('.aiperf_results_ready.json', JSON.stringify({ ready: true, was_cancelled: wasCancelled, partial: failures.length > 0 })))
  close()
  return { directory, result, files: dir.files, failures }
}

/** The probes of the network's round trip, line by line as they were taken. */
async function exportNetworkLatency(dir: RunArtifacts): Promise<void> {
  const probes = join(dir.path, JOURNAL, NETWORK_LATENCY)
  if (existsSync(probes)) await dir.stream(dir.named('profile_export_network_latency.jsonl', '_network_latency.jsonl'), createReadStream(probes))
}
