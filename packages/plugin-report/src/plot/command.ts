import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { AiperfError, type Figure } from '@aiperf/core'
import { createHost, didYouMean } from '@aiperf/core/host'
import { documentOf } from '../figure/document.js'
import { styleOf, type ThemeName } from '../figure/theme.js'
import type { LoadedRun } from '../runs/loaded.js'
import { readRuns, type ReadContext, type RunSet } from '../runs/read.js'
import { catalogOf, type CatalogEntry } from './catalog.js'
import { classify } from './classify.js'
import { findConfig, type PlotConfigFile } from './config-file.js'
import { drawPlot, type Drawn } from './draw.js'
import { planOf, type PlotPlan } from './presets.js'

export type PlotFormat = 'png' | 'svg' | 'json'

export interface PlotRequest {
  paths: readonly string[]
  /** Folder of the pictures; `plots` in the first path when not given. */
  output?: string
  theme: ThemeName
  config?: string
  /** A config that is in hand already, in place of a file. */
  plan?: PlotConfigFile
  formats: readonly PlotFormat[]
  /** Of the picture, in px; `scale` pixels of a PNG for each. */
  width: number
  height: number
  scale: number
  /** Names of plots; none: the defaults. */
  plots: readonly string[]
  mode: 'auto' | 'single' | 'compare'
}

export interface PlotOutcome {
  directory: string
  mode: 'single' | 'compare'
  files: string[]
  skipped: { name: string; reason: string }[]
  failed: AiperfError[]
  notices: readonly string[]
}

/** Draws plots of the runs at or below the paths into files, and writes `summary.txt` beside them. */
export async function plotRuns(request: PlotRequest, context: ReadContext): Promise<PlotOutcome> {
  const plan = planOf(catalogOf(context.index), request.plan ?? (await findConfig(request.config, request.paths)))
  const set = await readRuns(request.paths, context)
  try {
    return await plotSet(set, plan, request, context)
  } finally {
    set.close()
  }
}

/** One run alone is shown over time; several, or points of a sweep, are compared. */
export const modeOf = (asked: PlotRequest['mode'], { runs, sweep }: Pick<RunSet, 'runs' | 'sweep'>): 'single' | 'compare' => (asked !== 'auto' ? asked : runs.length === 1 && !sweep ? 'single' : 'compare')

async function plotSet(set: RunSet, plan: PlotPlan, request: PlotRequest, context: ReadContext): Promise<PlotOutcome> {
  const directory = resolve(request.output ?? join(request.paths[0]!, 'plots'))
  const mode = modeOf(request.mode, set)
  const runs = plan.classification ? classify(set.runs, plan.classification) : set.runs
  const outcome: PlotOutcome = { directory, mode, files: [], skipped: [], failed: [], notices: [...plan.notices, ...mixed(runs, mode)] }
  const host = createHost(context.index)
  const draw = async (entry: CatalogEntry, of: readonly LoadedRun[], folder: string): Promise<void> => {
    const drawn = await drawPlot(host, grouped(entry, plan), of, styleOf(request.theme))
    await keep(drawn, folder, request, outcome)
  }
  for (const group of mode === 'compare' ? [runs] : runs.map((run) => [run]))
    for (const entry of entriesOf(plan, request.plots, mode)) await draw(entry, group, mode === 'single' && runs.length > 1 ? join(directory, folderName(group[0]!)) : directory)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'summary.txt'), summaryText(outcome))
  return outcome
}

/** The plots to draw: those that were named, else the config's, else the usual ones. */
export function entriesOf(plan: PlotPlan, named: readonly string[], mode: 'single' | 'compare'): CatalogEntry[] {
  const scope = mode === 'single' ? 'run' : 'runs'
  const entry = (name: string): CatalogEntry => {
    const found = plan.entries.get(name)
    if (!found) throw new AiperfError('E_CONFIG', `There is no plot "${name}".`, { hint: didYouMean(name, [...plan.entries.keys()]) || 'aiperf plot --list names them.' })
    if (found.scope !== 'any' && found.scope !== scope) throw new AiperfError('E_CONFIG', `The plot "${name}" shows ${found.scope === 'run' ? 'one run' : 'several runs'}.`, { hint: `Give ${found.scope === 'run' ? 'the folder of one run, or --mode single' : 'several runs, or --mode compare'}.` })
    return found
  }
  if (named.length > 0) return named.map(entry)
  return (plan[scope] ?? [...plan.entries.values()].filter((e) => e.defaultFor[scope]).map((e) => e.name)).map(entry)
}

/** With an experiment's classes, runs are compared by them. */
const grouped = (entry: CatalogEntry, plan: PlotPlan): CatalogEntry =>
  plan.classification && entry.contribution.options?.properties?.['groups'] ? { ...entry, options: { ...entry.options, groups: 'experiment_group' } } : entry

async function keep(drawn: Drawn, folder: string, request: PlotRequest, outcome: PlotOutcome): Promise<void> {
  const { entry } = drawn
  if ('error' in drawn) return void outcome.failed.push(drawn.error)
  if ('absent' in drawn) return void outcome.skipped.push({ name: entry.name, reason: drawn.absent })
  try {
    await mkdir(folder, { recursive: true })
    for (const format of request.formats) {
      const path = join(folder, `${entry.name}.${format}`)
      await writeFile(path, await rendered(drawn.figure, entry.title, format, request))
      outcome.files.push(path)
    }
  } catch (cause) {
    outcome.failed.push((cause as Error).name === 'AiperfError' ? (cause as AiperfError) : new AiperfError('E_EXPORT', `The plot "${entry.name}" failed: ${(cause as Error).message}`, { cause }))
  }
}

/** A figure as the bytes of a file. */
export async function rendered(figure: Figure, title: string, format: PlotFormat, { theme, width, height, scale }: Pick<PlotRequest, 'theme' | 'width' | 'height' | 'scale'>): Promise<string | Uint8Array> {
  const frame = { theme, width, height, title }
  if (format === 'json') return `${JSON.stringify(documentOf(figure, frame), undefined, 1)}\n`
  const { renderSvg, withFontStack } = await import('../render/svg.js')
  const svg = await renderSvg(figure, frame)
  if (format === 'svg') return withFontStack(svg)
  const { renderPng } = await import('../render/png.js')
  return renderPng(svg, scale)
}

/** What a reader of a comparison should know before reading it. */
function mixed(runs: readonly LoadedRun[], mode: 'single' | 'compare'): string[] {
  if (mode === 'single') return []
  const endpoints = new Set(runs.map((run) => run.facts['endpoint_type']).filter(Boolean))
  const sweeps = new Set(runs.map((run) => run.sweepId))
  return [
    ...(endpoints.size > 1 ? [`The runs are of different endpoint types: ${[...endpoints].join(', ')}.`] : []),
    ...(sweeps.size > 1 && sweeps.size < runs.length ? [`The runs come from ${sweeps.size} sweeps or single runs; name one folder to see it alone.`] : []),
  ]
}

const folderName = (run: LoadedRun): string => run.label.replaceAll(/[^\w.-]+/g, '_').replace(/^_|_$/g, '') || run.name

function summaryText({ directory, mode, files, skipped, failed }: PlotOutcome): string {
  const lines = [
    `${files.length} files of ${mode === 'single' ? 'one run' : 'several runs'}`,
    ...files.map((file) => `  ${relative(directory, file)}`),
    ...(skipped.length > 0 ? ['', 'Not drawn:', ...skipped.map(({ name, reason }) => `  ${name}: ${reason}`)] : []),
    ...(failed.length > 0 ? ['', 'Failed:', ...failed.map(({ message }) => `  ${message}`)] : []),
  ]
  return `${lines.join('\n')}\n`
}
