import type { JsonObject } from './dataset.js'
import type { RunResult } from './result.js'
import type { Readable } from 'node:stream'

/** The run's directory, as exporters write to it. */
export interface ArtifactDir {
  readonly path: string
  /** Writes a file whole (temporary file, then rename), and lists it among the run's files. */
  write(name: string, content: string | Uint8Array): Promise<void>
  /** As `write`, from chunks, without holding them all. */
  stream(name: string, chunks: AsyncIterable<string | Uint8Array> | Readable): Promise<void>
  /** Name with the user's export prefix applied: `file('profile_export_aiperf.csv', '.csv')`. */
  named(defaultName: string, suffix: string): string
  /** Prints to the user's console (stdout), after the run. */
  print(text: string): void
  /** The console's width in columns and whether colour is welcome. */
  readonly console: { columns: number; color: boolean; verbose: boolean; output: 'text' | 'json' }
}

/** A table for the console; the first column is the label. */
export interface ConsoleTable {
  title: string
  columns: string[]
  /** Text is printed as it is, numbers as the metric tables write theirs; undefined and not finite: no value. */
  rows: (string | number | undefined)[][]
  /** Lines before the table, and after it. */
  before?: string[]
  after?: string[]
}

/**
 * Content for files and a console that other exporters write. The host collects it before any exporter writes, and adds
 * a general view (JSON key `telemetry`, tables) of telemetry sources that no exporter claims.
 */
export interface ExportAdditions {
  /** Keys of the summary JSON, e.g. `telemetry_data`. */
  json?: JsonObject
  /** Printed after the metric tables, in this order. */
  tables?: readonly ConsoleTable[]
  /** Blocks at the end of the summary CSV: rows, the header first. */
  csv?: readonly (readonly (readonly (string | number | undefined)[])[])[]
  /** Keys of a phase's entry in the phase manifest, by phase index. */
  phases?: Readonly<Record<number, JsonObject>>
}

/** A function of a finished run. */
export interface Exporter {
  /** A throw is told as `E_EXPORT`; the other exporters still write. */
  write(run: RunResult, dir: ArtifactDir): Promise<void>
}

/** Capability of an exporter: a plugin's own part of the summary files. */
export interface Adds {
  /** `run.additions` is empty at this time. */
  adds(run: RunResult): ExportAdditions | Promise<ExportAdditions>
}

/** What an exporter declares in its manifest entry (`meta`). */
export interface ExporterMeta {
  description: string
  /** `file` exporters run first, in parallel; `console` ones after, in `order`. */
  target: 'file' | 'console'
  /** Place among exporters of the console, ascending. */
  order?: number
  /** Files it writes, default names. */
  files?: readonly string[]
}
