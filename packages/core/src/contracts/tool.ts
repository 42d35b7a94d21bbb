import type { DatasetLoader, Head, JsonObject, LoadReport, Source } from './dataset.js'
import type { Tokenizer } from './tokenizer.js'

/**
 * A command beside a run: analyses a file, makes one, checks one. Its options are the flags of the command; they are
 * read, checked and explained from the package's manifest, before any code of the tool is loaded.
 */
export interface Tool {
  /** Returns the exit code: 0 when all is well. What is thrown is shown as an error is, with that error's exit code. */
  run(host: ToolHost): Promise<number>
}

/** What a tool is given to work with. */
export interface ToolHost {
  /** Writes to stdout. Nothing else writes there, so JSON stays JSON. */
  print(text: string): void
  /** Something a person should know; one line on stderr. */
  warn(message: string): void
  /** How far long work has come; shown on a terminal only. */
  progress(what: string, done: number, total?: number): void
  /** Columns of the terminal, or what is usual where there is none. */
  readonly columns: number
  /** Aborted when the person asks to stop. */
  readonly signal: AbortSignal
  /** Reads a file or folder as runs do: packed or not, line by line. Bad lines go to the report. */
  openSource(path: string, report: LoadReport): Source
  /** The first record and bytes of a file. */
  readHead(path: string): Promise<Head>
  /** A report that ends the load with its bad lines (`fail`) or counts them (`skip`); call `finish` after the load. */
  report(onBadLine: 'fail' | 'skip'): LoadReport & { finish(): void }
  /** The loader of that name, else the one that knows the file. Throws `E_DATASET` or `E_PLUGIN_UNKNOWN`. */
  loader(request: LoaderRequest): Promise<{ name: string; meta: JsonObject; loader: DatasetLoader }>
  /** A tokenizer by its name, the name of a model, or a folder. */
  tokenizer(name: string): Promise<Tokenizer>
}

/** Which file a tool wants read, and how. */
export interface LoaderRequest {
  path: string
  /** Name of the loader; absent: the one that knows the file. */
  format?: string
  /** Options of the loader, the rest by default. */
  options?: JsonObject
  /**
   * As in a run that replays time stamps: a first turn without one is an error. Left out: as a run would decide, which
   * replays traces whose first record has a time stamp.
   */
  fixedSchedule?: boolean
  /** Name for `ToolHost.tokenizer`, asked for when the loader makes text. */
  tokenizer: string
}

/** What a tool declares in its manifest entry (`meta`). */
export interface ToolMeta {
  description: string
  /** Command lines worth showing, without the program's name. */
  examples?: readonly string[]
}
