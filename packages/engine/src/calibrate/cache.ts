import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RunModel } from '@aiperf/core'
import { VERSION } from '../control/version.js'
import type { CalibrationResult } from './calibrate.js'

const VALID_MS = 7 * 24 * 3600 * 1000

/** Folder of what this program keeps between runs: `AIPERF_CACHE_DIR`, else the platform's. */
function cacheFolder(): string {
  const { AIPERF_CACHE_DIR, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (AIPERF_CACHE_DIR) return AIPERF_CACHE_DIR
  if (process.platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'aiperf', 'cache')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'aiperf')
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'aiperf')
}

/** What a calibration depends on: machine, runtime, program, kind of request. */
function place(model: RunModel): string {
  const { type, streaming } = model.endpoint
  const { workers, recorders } = model.runtime
  const key = JSON.stringify([cpus()[0]?.model, availableParallelism(), process.version, VERSION, type, streaming, model.transport.type, workers, recorders, model.dataset.type])
  return join(cacheFolder(), 'calibration', `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`)
}

/** The calibration of an earlier run of this kind on this machine, no older than a week. */
export function cachedCalibration(model: RunModel): CalibrationResult | undefined {
  try {
    const kept = JSON.parse(readFileSync(place(model), 'utf8')) as CalibrationResult
    return Date.now() - Date.parse(kept.measuredAt) < VALID_MS ? kept : undefined
  } catch {
    return undefined
  }
}

/** Keeps it; a folder that cannot be written costs only the next run a second. */
export function keepCalibration(model: RunModel, result: CalibrationResult): void {
  try {
    const path = place(model)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(result))
  } catch {
    return
  }
}
