import { accessSync, constants, existsSync } from 'node:fs'
import type { Config } from '@oclif/core/interfaces'
import type { PluginIndex } from '@aiperf/core/host'
import { buildTable } from '@aiperf/core/options'
import { kept } from './home.js'
import { npm } from './npm.js'
import { policyFiles, readPolicies, refusal, type Policy } from './policy.js'
import { remedy } from './remedy.js'
import { validate } from './validate.js'

export interface Finding {
  level: 'ok' | 'warn' | 'fail'
  /** What it is about: a package, or a part of the surroundings. */
  about: string
  message: string
  fix?: string
}

/** Looks at the surroundings, at what the packages say, and (in processes of their own) at what their code does. */
export async function examine(config: Config, index: PluginIndex, { bundled, only }: { bundled: boolean; only?: string }): Promise<Finding[]> {
  const policies = readPolicies(config)
  const findings: Finding[] = only === undefined ? [...surroundings(config, policies), await npmFinding(config)] : []
  const shown = index.packages.filter((p) => (only === undefined ? bundled || p.origin !== 'bundled' : p.name === only))
  for (const item of shown) {
    const { name, version, origin, replacedBy, problem } = item
    const about = `${name} ${version}`
    if (replacedBy) findings.push({ level: origin === 'bundled' ? 'ok' : 'warn', about, message: `is not used: replaced by ${replacedBy}`, ...(origin === 'bundled' ? {} : { fix: `Remove it (\`aiperf plugins uninstall ${name}\`) or install a newer version.` }) })
    else if (problem && refusal(policies, name) === problem) {
      if (only !== undefined) findings.push(refused(name, problem))
    } else if (problem) findings.push({ level: 'fail', about, message: problem, fix: remedy(item, /plugin API/.test(problem) ? 'api' : undefined) })
  }
  for (const [contribution, clash] of buildTable(index).clashes) if (shown.some((p) => p.name === contribution.package)) findings.push({ level: 'fail', about: `${contribution.package} ${contribution.version}`, message: `${contribution.kind} ${contribution.name}: ${clash}`, fix: 'Its author must choose another flag; remove one of the two packages until then.' })
  const names = new Map<string, string[]>()
  for (const { kind, name, package: owner } of index.contributions) names.set(`${kind} ${name}`, [...(names.get(`${kind} ${name}`) ?? []), owner])
  for (const [contribution, owners] of names) if (owners.length > 1 && shown.some((p) => owners.includes(p.name))) findings.push({ level: 'warn', about: owners.join(', '), message: `all offer the ${words(contribution)}`, fix: `Choose by ${owners.map((owner) => `${owner}:${contribution.split(' ')[1]}`).join(' or ')}, or remove one.` })

  const usable = shown.filter((p) => p.replacedBy === undefined && !p.problem)
  const tried = await validate({ packages: usable, contributions: index.contributions.filter((c) => usable.some((p) => p.name === c.package)) }, undefined, undefined)
  for (const { name, version } of usable) {
    const rows = tried.filter((row) => row.package === name)
    const bad = rows.filter((row) => row.problem)
    if (bad.length === 0) findings.push({ level: 'ok', about: `${name} ${version}`, message: `${rows.length} contribution${rows.length === 1 ? '' : 's'} loaded, created and ended` })
    for (const { kind, name: contribution, problem, fix } of bad) findings.push({ level: 'fail', about: `${name} ${version}`, message: `${kind} ${contribution}: ${problem}`, ...(fix === undefined ? {} : { fix }) })
  }
  return findings
}

/** `search_recipe my_own` in words: the kind's alone, a name stays as it is. */
const words = (contribution: string): string => contribution.replace(/^\S+/, (kind) => kind.replaceAll('_', ' '))

const refused = (name: string, message: string): Finding => ({ level: 'fail', about: name, message, fix: `Remove it (\`aiperf plugins uninstall ${name}\`), or ask whoever keeps that file to add it.` })

function surroundings(config: Config, policies: readonly Policy[]): Finding[] {
  const findings: Finding[] = [{ level: 'ok', about: 'Node', message: process.version }]
  try {
    if (existsSync(config.dataDir)) accessSync(config.dataDir, constants.W_OK)
    findings.push({ level: 'ok', about: 'data folder', message: config.dataDir })
  } catch {
    findings.push({ level: 'fail', about: 'data folder', message: `${config.dataDir} cannot be written to`, fix: 'Make it yours, or set XDG_DATA_HOME.' })
  }
  for (const path of policyFiles(config).filter((file) => existsSync(file))) findings.push({ level: 'ok', about: 'rules', message: path })
  for (const item of kept(config)) {
    const against = refusal(policies, item.name)
    if (against) findings.push(refused(item.name, against))
    else if (item.type === 'link' && !existsSync(item.root)) findings.push({ level: 'fail', about: item.name, message: `its folder ${item.root} is gone`, fix: `\`aiperf plugins unlink ${item.name}\`` })
  }
  return findings
}

async function npmFinding(config: Config): Promise<Finding> {
  try {
    return { level: 'ok', about: 'npm', message: `${(await npm(config, ['--version'], { cwd: process.cwd() })).trim()}${config.npmRegistry ? `, registry ${config.npmRegistry}` : ''}` }
  } catch (error) {
    return { level: 'warn', about: 'npm', message: (error as Error).message, fix: 'Plugins can be linked, but not installed.' }
  }
}
