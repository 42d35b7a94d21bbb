import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError } from '@aiperf/core'
import type { Config } from '@oclif/core/interfaces'

/** Rules on which packages may be installed and loaded besides the bundled ones. Every file that exists must agree. */
export interface Policy {
  /** The file that says so. */
  path: string
  /** Names, or `@scope/*`; absent: any. */
  allow?: readonly string[]
  /** The registry must hold a provenance statement of the version, and its signatures must hold. */
  provenance: boolean
  /** Whether `--scripts` may be given; true when absent. */
  scripts: boolean
}

/** Where rules may stand: the machine's, the user's, and one more that a variable names. */
export function policyFiles(config: Pick<Config, 'configDir'>): string[] {
  const machine = process.platform === 'win32' ? join(process.env['ProgramData'] ?? 'C:\\ProgramData', 'aiperf', 'plugins.json') : '/etc/aiperf/plugins.json'
  const named = process.env['AIPERF_PLUGINS_POLICY']
  return [machine, join(config.configDir, 'plugins.json'), ...(named ? [named] : [])]
}

/** @throws AiperfError E_CONFIG when a file cannot be read: rules that nobody can read allow nothing. */
export function readPolicies(config: Pick<Config, 'configDir'>): Policy[] {
  const named = process.env['AIPERF_PLUGINS_POLICY']
  return policyFiles(config)
    .filter((path) => existsSync(path) || path === named)
    .map((path) => {
      try {
        const { allow, provenance, scripts, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as { allow?: unknown; provenance?: unknown; scripts?: unknown }
        const [unknown] = Object.keys(rest)
        if (unknown !== undefined) throw new Error(`"${unknown}" is no key of it, expected allow, provenance and scripts`)
        if (allow !== undefined && !(Array.isArray(allow) && allow.every((item) => typeof item === 'string'))) throw new Error('"allow" must be a list of package names')
        if (provenance !== undefined && provenance !== 'required' && provenance !== 'optional') throw new Error('"provenance" must be "required" or "optional"')
        if (scripts !== undefined && typeof scripts !== 'boolean') throw new Error('"scripts" must be true or false')
        return { path, ...(allow === undefined ? {} : { allow: allow as string[] }), provenance: provenance === 'required', scripts: scripts !== false }
      } catch (error) {
        throw new AiperfError('E_CONFIG', `The rules for plugins in ${path} cannot be used: ${(error as Error).message}.`, { hint: 'Correct or remove the file; see docs/plugins/installing.md.' })
      }
    })
}

/** Why a package may not be used; undefined when it may. */
export function refusal(policies: readonly Policy[], name: string): string | undefined {
  const against = policies.find(({ allow }) => allow !== undefined && !allow.some((pattern) => matches(pattern, name)))
  return against && `it is not among the plugins that ${against.path} allows`
}

const matches = (pattern: string, name: string): boolean => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name)
