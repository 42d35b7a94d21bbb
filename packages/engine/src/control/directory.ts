import { mkdirSync, rmSync, statSync, symlinkSync, unlinkSync, accessSync, constants } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { AiperfError, type EndpointMeta, type PhaseModel, type RunModel } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import { JOURNAL } from '../journal/read.js'

/** Name of a run as the reference makes it: model, service, endpoint and stimulus. */
function runName(model: RunModel, host: Host): string {
  const phase = model.phases.find((p) => p.kind === 'profiling') ?? model.phases[0]!
  return `${targetName(model, host)}-${stimulus(phase)}`
}

/** The part of the name that says what is measured, not under which load. */
function targetName(model: RunModel, host: Host): string {
  const meta = host.find('endpoint', model.endpoint.type).meta as unknown as EndpointMeta
  const first = model.models[0]!.replaceAll('/', '_')
  const models = model.models.length > 1 ? `${first}_multi` : first
  return [models, meta.serviceKind ?? 'openai', model.endpoint.type].join('-')
}

function stimulus(phase: PhaseModel): string {
  const { concurrency, rate, users } = phase.options as { concurrency?: number; rate?: number; users?: number }
  if (phase.mode === 'fixed_schedule') return 'fixed_schedule'
  if (phase.mode === 'user_centric') return `user_centric-users${users}-qps${rate}`
  const parts = [concurrency === undefined ? '' : `concurrency${concurrency}`, rate === undefined ? '' : `request_rate${rate}`].filter(Boolean)
  return parts.join('-') || phase.mode
}

/** Makes the run's directory. One the user named is used as it is; otherwise every run has its own. */
export function createRunDirectory(model: RunModel, host: Host, startedAt: Date, id: string): string {
  const directory = createDirectory(model, runName(model, host), startedAt, id)
  rmSync(join(directory, JOURNAL), { recursive: true, force: true })
  mkdirSync(join(directory, JOURNAL))
  return directory
}

/** Makes the directory of several runs, which each have one of their own below it. */
export function createPlanDirectory(model: RunModel, host: Host, kind: string, startedAt: Date, id: string): string {
  const name = `${targetName(model, host)}-${kind}`
  const directory = createDirectory(model, name, startedAt, id)
  link(model, name, directory)
  return directory
}

/** Has the links lead to this run, which begins to measure: one that fails before has nothing that a script could read. */
export function linkRun(model: RunModel, host: Host, directory: string): void {
  link(model, runName(model, host), directory)
}

/**
 * Two links lead to the newest of the directories that the program named: `latest`, and its name without time, so that paths in
 * scripts stay valid.
 */
function link(model: RunModel, name: string, directory: string): void {
  const { dir, dirGiven } = model.artifacts
  if (!dirGiven) for (const path of ['latest', name]) relink(join(resolve(dir), path), directory)
}

function createDirectory(model: RunModel, name: string, startedAt: Date, id: string): string {
  const root = resolve(model.artifacts.dir)
  if (model.artifacts.dirGiven) {
    makeWritable(root)
    return root
  }
  const stamp = startedAt.toISOString().replace(/[-:]/g, '').replace(/\..*/, 'Z')
  const directory = join(root, `${name}-${stamp}-${id.slice(0, 6)}`)
  makeWritable(directory)
  return directory
}

function makeWritable(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    if (!statSync(path).isDirectory()) throw new Error('it is not a directory')
    accessSync(path, constants.W_OK)
  } catch (cause) {
    throw new AiperfError('E_ARTIFACTS', `The artifact directory ${path} cannot be used: ${(cause as Error).message}`, {
      hint: 'choose a directory you may write to with --artifact-dir',
      cause,
    })
  }
}

/** Links are a convenience: where they cannot be made (some file systems), the run goes on without. */
function relink(link: string, directory: string): void {
  try {
    unlinkSync(link)
  } catch {
    // There was none, or it is a real directory, which is left alone.
  }
  try {
    symlinkSync(process.platform === 'win32' ? directory : basename(directory), link, process.platform === 'win32' ? 'junction' : 'dir')
  } catch {
    return
  }
}
