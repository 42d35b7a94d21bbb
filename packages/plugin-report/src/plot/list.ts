import { createHost } from '@aiperf/core/host'
import { styleOf, type ThemeName } from '../figure/theme.js'
import { readRuns, type ReadContext } from '../runs/read.js'
import { catalogOf, type CatalogEntry } from './catalog.js'
import { modeOf, type PlotRequest } from './command.js'
import { findConfig } from './config-file.js'
import { drawPlot } from './draw.js'
import { planOf } from './presets.js'

export interface ListRequest {
  /** Without paths the plots are listed, not what runs allow. */
  paths: readonly string[] | undefined
  mode: PlotRequest['mode']
  theme: ThemeName
  config?: string
}

/** The plots as text: name, what it shows, and, of the given runs, whether it can be drawn. */
export async function listPlots(request: ListRequest, context: ReadContext): Promise<string> {
  const catalog = catalogOf(context.index)
  const plan = planOf(catalog, await findConfig(request.config, request.paths ?? []))
  const entries = [...plan.entries.values()]
  const reasons = request.paths ? await possible(entries, request, context) : new Map<string, string>()
  const width = Math.max(...entries.map((entry) => entry.name.length), ...catalog.kinds.map((kind) => kind.name.length))
  const line = (entry: CatalogEntry): string => {
    const usual = entry.defaultFor.run || entry.defaultFor.runs || plan.run?.includes(entry.name) || plan.runs?.includes(entry.name)
    return `${usual ? '*' : ' '} ${entry.name.padEnd(width)}  ${entry.title}${reasons.has(entry.name) ? `\n${' '.repeat(width + 4)}${reasons.get(entry.name)}` : ''}\n`
  }
  const section = (title: string, wanted: (entry: CatalogEntry) => boolean): string => `${title}\n${entries.filter(wanted).map(line).join('')}\n`
  return (
    section('One run', (entry) => entry.scope === 'run') + section('Several runs', (entry) => entry.scope === 'runs') + section('Either', (entry) => entry.scope === 'any') +
    `Kinds for plots of your own (--config)\n${catalog.kinds.map((kind) => `  ${kind.name.padEnd(width)}  ${kind.description}\n`).join('')}\n* drawn by default\n`
  )
}

async function possible(entries: readonly CatalogEntry[], request: ListRequest, context: ReadContext): Promise<Map<string, string>> {
  const set = await readRuns(request.paths!, context)
  try {
    const scope = modeOf(request.mode, set) === 'single' ? 'run' : 'runs'
    const host = createHost(context.index)
    const out = new Map<string, string>()
    for (const entry of entries) {
      if (entry.scope !== 'any' && entry.scope !== scope) continue
      const drawn = await drawPlot(host, entry, scope === 'run' ? set.runs.slice(0, 1) : set.runs, styleOf(request.theme))
      out.set(entry.name, 'figure' in drawn ? 'possible' : `not possible: ${'absent' in drawn ? drawn.absent : drawn.error.message}`)
    }
    return out
  } finally {
    set.close()
  }
}
