import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { AiperfError } from '@aiperf/core'
import { styleOf, type ThemeName } from '../figure/theme.js'
import { renderPng } from '../render/png.js'
import { renderSvg } from '../render/svg.js'
import { lanesPage } from '../report/lanes-page.js'
import type { LoadedRun } from '../runs/loaded.js'
import { readRuns, type ReadContext } from '../runs/read.js'
import { assignLanes } from './lanes.js'
import { activityFigure, lanesFigure, type Targets } from './swim-lane-figure.js'

export interface SwimLaneRequest extends Targets {
  directories: readonly string[]
  /** File of the picture; only with one directory. */
  out?: string
  html: boolean
  theme: ThemeName
}

export interface Analysed {
  files: string[]
  skipped: { directory: string; reason: string }[]
}

const WIDTH = 1400
const ACTIVITY = 220

/** Draws when each session of a run was served. Runs that cannot be drawn are told and passed over. */
export async function swimLane(request: SwimLaneRequest, context: ReadContext): Promise<Analysed> {
  const out: Analysed = { files: [], skipped: [] }
  for (const directory of request.directories) {
    try {
      const set = await readRuns([directory], { ...context, warn: () => {} })
      try {
        for (const run of set.runs) await drawRun(run, request, out)
      } finally {
        set.close()
      }
    } catch (error) {
      out.skipped.push({ directory, reason: (error as Error).message })
    }
  }
  return out
}

async function drawRun(run: LoadedRun, request: SwimLaneRequest, { files }: Analysed): Promise<void> {
  const table = await run.requests(['time_to_first_token'])
  if (!table) throw new AiperfError('E_INPUT_FILE', 'only the summary of the run is there, no single requests')
  const lanes = assignLanes(table)
  if (lanes.bars.length === 0) throw new AiperfError('E_INPUT_FILE', 'no request has both a start and an end')
  const targets: Targets = { ...(request.concurrency === undefined ? {} : { concurrency: request.concurrency }), ...(request.rampSeconds === undefined ? {} : { rampSeconds: request.rampSeconds }) }
  const png = resolve(request.out ?? join(run.directory, 'swim_lane.png'))
  await mkdir(dirname(png), { recursive: true })
  const { theme } = request
  const height = Math.max(320, Math.min(1400, 140 + 14 * lanes.rows))
  const top = await renderSvg(lanesFigure(lanes, table, targets, styleOf(theme)), { theme, width: WIDTH, height, title: `Sessions of ${run.label}` })
  const bottom = await renderSvg(activityFigure(lanes, targets, styleOf(theme)), { theme, width: WIDTH, height: ACTIVITY })
  await writeFile(png, await renderPng(stacked(top, height, bottom, ACTIVITY), 1.6))
  files.push(png)
  if (!request.html) return
  const page = resolve(png.replace(/\.png$/i, '') + '.html')
  await writeFile(page, await lanesPage(run, lanes, targets))
  files.push(page)
}

/** Two pictures of the same width, one above the other. */
const stacked = (top: string, topHeight: number, bottom: string, bottomHeight: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${WIDTH}" height="${topHeight + bottomHeight}" viewBox="0 0 ${WIDTH} ${topHeight + bottomHeight}">${top}${bottom.replace('<svg ', `<svg y="${topHeight}" `)}</svg>`
