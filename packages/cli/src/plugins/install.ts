import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError, type Problem, ConfigurationError } from '@aiperf/core'
import type { Config } from '@oclif/core/interfaces'
import { fetchCandidate, type Candidate } from './candidate.js'
import { keep, prepareHome, type Kept } from './home.js'
import { npm } from './npm.js'
import { readPolicies, refusal, type Policy } from './policy.js'
import { fileSpec, readSpec } from './spec.js'

export interface InstallOptions {
  /** Let npm run the scripts of the packages and of what they depend on. */
  scripts: boolean
  /** Told before anything is changed. */
  before(candidates: readonly Candidate[]): void
  dryRun: boolean
}

/** Installs packages into the user's data folder, all of them or none. */
export async function install(config: Config, given: readonly string[], { scripts, before, dryRun }: InstallOptions): Promise<Candidate[]> {
  const policies = readPolicies(config)
  if (scripts) forbid(policies.filter((policy) => !policy.scripts).map(({ path }) => ({ flags: ['--scripts'], message: `${path} does not allow the scripts of packages to run.`, hint: 'Install without --scripts.' })))
  const candidates: Candidate[] = []
  for (const text of given) candidates.push(await fetchCandidate(config, readSpec(text), scripts))
  forbid(candidates.flatMap((candidate) => problemsOf(config, candidate, policies)))
  const strict = policies.find((policy) => policy.provenance)
  if (strict) for (const candidate of candidates) await checkProvenance(config, candidate, strict)
  before(candidates)
  if (dryRun) return candidates
  prepareHome(config)
  const undo = remembered(config)
  await npm(config, ['install', ...candidates.map(npmSpec), '--omit=dev', '--save', '--save-exact'], { scripts })
  try {
    for (const candidate of candidates) checkIntegrity(config, candidate)
    if (strict) await npm(config, ['audit', 'signatures'])
  } catch (error) {
    await undo()
    throw error
  }
  keep(config, (list) => [...list.filter((item) => !candidates.some((c) => c.package.name === item.name)), ...candidates.map(keptAs)])
  return candidates
}

function problemsOf(config: Config, { package: found, contributions, spec }: Candidate, policies: readonly Policy[]): Problem[] {
  const problems: Problem[] = []
  const refused = refusal(policies, found.name)
  if (found.name === config.name) problems.push({ flags: [], message: `${found.name} is the program itself, no plugin of it.` })
  if (refused) problems.push({ code: 'E_COMMAND', flags: [], message: `${found.name} may not be installed: ${refused}.`, hint: 'Ask whoever keeps that file to add it.' })
  if (found.problem) problems.push({ code: 'E_PLUGIN_API', flags: [], message: `${found.name} ${found.version} cannot be used: ${found.problem}.` })
  const broken = found.problem ? undefined : contributions.find((c) => c.problem)
  if (broken) problems.push({ code: 'E_PLUGIN_LOAD', flags: [], message: `${found.name} ${found.version} cannot be used: ${broken.kind} ${broken.name}: ${broken.problem}.`, hint: spec.type === 'git' || spec.type === 'folder' ? 'It must be built first: a folder with its build script, a repository that holds what was built, or one with a "prepare" script and --scripts.' : 'Ask its author for a package with aiperf.manifest.json in it.' })
  const strict = policies.find((policy) => policy.provenance)
  if (strict && spec.type !== 'registry') problems.push({ code: 'E_COMMAND', flags: [], message: `${spec.text} may not be installed: ${strict.path} asks for provenance, which only a registry states.`, hint: 'Install it by its name in the registry.' })
  return problems
}

function forbid(problems: readonly Problem[]): void {
  const [first] = problems
  if (first) throw new ConfigurationError(problems, first.code ?? 'E_COMMAND')
}

/** What was looked at is what is installed: the very version, from the same place. */
function npmSpec({ spec, package: { name, version }, tarball }: Candidate): string {
  if (spec.type === 'registry') return `${name}@${version}`
  return spec.type === 'folder' || spec.type === 'tarball' ? fileSpec(tarball) : spec.text
}

function keptAs({ spec, package: { name }, tarball }: Candidate): Kept {
  if (spec.type === 'registry') return { name, type: 'user', tag: spec.tag }
  return { name, type: 'user', url: spec.type === 'folder' || spec.type === 'tarball' ? fileSpec(tarball) : spec.text }
}

/** What npm installed into the data folder so far, and the way back to it. */
function remembered(config: Config): () => Promise<void> {
  const files = ['package.json', 'package-lock.json'].map((name) => join(config.dataDir, name))
  const before = files.map((path) => (existsSync(path) ? readFileSync(path) : undefined))
  return async () => {
    files.forEach((path, i) => (before[i] ? writeFileSync(path, before[i]) : rmSync(path, { force: true })))
    await npm(config, ['install', '--omit=dev', '--prefer-offline']).catch(() => '')
  }
}

/** The registry must state where the version was built; that the statement holds is checked once it is installed. */
async function checkProvenance(config: Config, { package: { name, version } }: Candidate, { path }: Policy): Promise<void> {
  const stated = (await npm(config, ['view', `${name}@${version}`, 'dist.attestations.provenance.predicateType'])).trim()
  if (!stated.startsWith('https://slsa.dev/provenance/')) forbid([{ code: 'E_COMMAND', flags: [], message: `${name} ${version} may not be installed: ${path} asks for provenance, and the registry states none.`, hint: 'Its author can publish it with `npm publish --provenance`.' }])
}

/** The lockfile's integrity must be that of the tarball that was shown. Git has none. */
function checkIntegrity(config: Config, { package: { name }, integrity, spec }: Candidate): void {
  if (spec.type === 'git') return
  const lock = JSON.parse(readFileSync(join(config.dataDir, 'node_modules/.package-lock.json'), 'utf8')) as { packages: Record<string, { integrity?: string }> }
  const installed = lock.packages[`node_modules/${name}`]?.integrity
  if (installed?.startsWith('sha512-') && installed !== integrity)
    throw new AiperfError('E_COMMAND', `${name} changed between the look at it and its installation: ${installed} is not ${integrity}.`, { hint: 'Nothing was installed. Try again; if it happens again, ask whoever runs the registry.' })
}
