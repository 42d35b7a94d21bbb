import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ArtifactDir, ConsoleTable, JsonObject, LiveSnapshot, PhaseInfo, RunResult, TelemetryResult, TelemetryWindow } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import { readTelemetry, selectSources, startTelemetry, type Telemetry } from '@aiperf/engine/telemetry'
import files from '../dist/server-metrics-files.js'

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)))
export const ZERO = 1796036061854766081n

const index: PluginIndex = (() => {
  const { name, version, aiperf } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { name: string; version: string; aiperf: { contributes: Record<string, Record<string, { entry: string; meta: JsonObject }>> } }
  const contributions = Object.entries(aiperf.contributes).flatMap(([kind, entries]) =>
    Object.entries(entries).map(([contribution, { entry, meta }]) => ({ kind: kind as 'telemetry_source', name: contribution, package: name, version, entry: join(PACKAGE, entry), api: 1, meta })),
  )
  return { packages: [], contributions }
})()

/** An exposition of `test/expositions` at the beginning (0) or the end (1) of a phase. */
export const exposition = (name: string, at: 0 | 1): string => readFileSync(join(PACKAGE, `test/expositions/${name}.txt`), 'utf8').replace(/\{\{([^|}]*)\|([^}]*)\}\}/g, (_, a: string, b: string) => (at === 0 ? a : b))

export interface Phase {
  results: TelemetryResult[]
  window: TelemetryWindow
  said: string[]
  live: LiveSnapshot['telemetry']
}

/** A folder for one test: a journal and the servers it scrapes. */
export class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), 'server-metrics-'))
  readonly #servers: Server[] = []
  readonly #running: Telemetry[] = []

  async serve(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    this.#servers.push(server)
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Scrapes through one phase; `during` runs in it. */
  async phase(urls: string[], options: JsonObject, during: () => Promise<void> | void = () => {}, more: { headers?: Record<string, string>; live?: boolean; before?: () => void } = {}): Promise<Phase> {
    const defaults = { enabled: true, disabled: false, urls: [], headers: [], intervalSeconds: 0.05, timeoutSeconds: 30, reachabilitySeconds: 10 }
    const origin = { originNs: process.hrtime.bigint(), unixNs: ZERO }
    const now = (): number => Number(process.hrtime.bigint() - origin.originNs)
    const said: string[] = []
    let live: Phase['live'] = []
    const telemetry = startTelemetry({
      index, origin, journal: this.folder, sources: selectSources(index, { server_metrics: { ...defaults, ...options } }), urls, headers: more.headers ?? {},
      log: (level, message) => void said.push(`${level}: ${message}`), limits: { discoverMs: 8000, borderMs: 3000 },
      ...(more.live ? { live: (lines) => void (live = lines) } : {}),
    })
    this.#running.push(telemetry)
    await telemetry.ready
    more.before?.()
    await telemetry.border('start', 0)
    const startNs = now()
    await during()
    const endNs = now()
    await telemetry.border('end', 0)
    await telemetry.stop()
    return { results: readTelemetry(this.folder), window: { startNs, endNs, phase: 0 }, said, live }
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((telemetry) => telemetry.stop()))
    for (const server of this.#servers) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** As much of a run as the exporter of this package looks at. */
export function runOf({ results, window }: Phase, phases: Partial<PhaseInfo>[] = [{}], sliceSeconds?: number): RunResult {
  const info = (part: Partial<PhaseInfo>, i: number) => ({ index: i, name: 'profiling', kind: 'profiling', startNs: window.startNs, endNs: window.endNs, wasCancelled: false, options: { concurrency: 4 }, ...part })
  return {
    telemetry: results, additions: {}, output: { level: 'records', ...(sliceSeconds === undefined ? {} : { sliceSeconds }) },
    manifest: { aiperfVersion: '0.1.0', benchmarkId: 'ff88f8da357c', startTime: '2026-11-30T10:54:21Z', explicitOptions: { models: ['m'] }, endpoint: { models: ['m'] }, phases: phases.map(info) },
    unixNs: (ns: number) => ZERO + BigInt(Math.round(ns)),
  } as unknown as RunResult
}

/** What the exporter writes and adds. */
export async function exported(run: RunResult, formats: string[] = ['json', 'csv', 'jsonl', 'parquet']): Promise<{ files: Map<string, Buffer>; tables: readonly ConsoleTable[]; phases: unknown }> {
  const written = new Map<string, Buffer>()
  const dir = {
    named: (name: string) => name,
    write: async (name: string, content: string) => void written.set(name, Buffer.from(content)),
    stream: async (name: string, chunks: AsyncIterable<string | Uint8Array>) => {
      const parts: Buffer[] = []
      for await (const chunk of chunks) parts.push(Buffer.from(chunk as string))
      written.set(name, Buffer.concat(parts))
    },
  } as unknown as ArtifactDir
  const exporter = await files.create({ options: { serverMetricsFormats: formats as never }, random: undefined as never })
  const added = await exporter.adds!(run)
  await exporter.write(run, dir)
  return { files: written, tables: added.tables ?? [], phases: added.phases }
}
