import type { Kind } from '@aiperf/core'
import type { IndexedContribution } from '@aiperf/core/host'
import type { Cases, CommonCase } from './cases.js'
import type { Check, Group, Runner } from './checks.js'
import { openPackage, subjectOf, type Subject } from './subject.js'
import { contributionSuite } from './suites/contribution.js'
import { SUITES } from './suites/of-kind.js'
import { packageSuite } from './suites/package.js'

export interface Conformance {
  /** Folder of the plugin's package.json, built. `import.meta.dirname + '/..'` of a test in `test/`. */
  package: string | URL
  /** What only its author knows: options, recorded answers, files, servers. */
  cases?: Cases
  /** Contributions that are not checked here, `kind name`; all by default. */
  only?(kind: Kind, name: string): boolean
}

/** Everything that is checked of one contribution, or of the package. */
export interface Suite {
  title: string
  groups: Group[]
}

/** The checks of a plugin package as data, for runners of any kind. Reads manifests; loads no code of the plugin. */
export function suitesOf({ package: where, cases = {}, only = () => true }: Conformance): Suite[] {
  const { directory, index, host } = openPackage(where)
  const suites: Suite[] = [{ title: index.packages[0]?.name ?? directory, groups: [packageSuite(directory, index)] }]
  for (const declared of index.contributions) if (only(declared.kind, declared.name)) suites.push(...contributionSuites(subjectOf(host, declared), declared, cases))
  for (const { kind, name } of unknownCases(cases, index.contributions))
    suites[0]!.groups.push({ title: 'cases', checks: [{ title: `${kind} ${name}`, run: () => Promise.reject(new Error(`there are cases for the ${kind} ${name}, which the package does not contribute`)) }] })
  return suites
}

function contributionSuites(subject: Subject, { kind, name }: IndexedContribution, cases: Cases): Suite[] {
  const given = cases[kind]?.[name] as CommonCase | readonly CommonCase[] | undefined
  const list: readonly CommonCase[] = given === undefined ? [{}] : Array.isArray(given) ? (given as readonly CommonCase[]) : [given as CommonCase]
  const suite = SUITES[kind] as (subject: Subject, given: CommonCase) => Group[]
  return list.map((one, i) => ({
    title: `${kind} ${name}${list.length > 1 ? ` (case ${i + 1})` : ''}`,
    groups: [...(i === 0 ? contributionSuite(subject, one) : []), ...suite(subject, one)].map((g) => withSkips(g, one.skip ?? {})),
  }))
}

/** Skips by the title of a group, or of a check. */
function withSkips(of: Group, skip: Record<string, string>): Group {
  const reason = skip[of.title]
  return { ...of, checks: of.checks.map((check): Check => ({ ...check, ...(reason ?? skip[check.title] ? { skip: reason ?? skip[check.title]! } : {}) })) }
}

function unknownCases(cases: Cases, contributions: readonly IndexedContribution[]): { kind: string; name: string }[] {
  return Object.entries(cases).flatMap(([kind, byName]) => Object.keys(byName as object).filter((name) => !contributions.some((c) => c.kind === kind && c.name === name)).map((name) => ({ kind, name })))
}

/**
 * Registers the checks of a plugin package as tests:
 *
 * ```ts
 * import { describe, test } from 'node:test' // or from 'vitest'
 * import { testPlugin } from '@aiperf/conformance'
 *
 * testPlugin({ describe, test }, { package: new URL('..', import.meta.url) })
 * ```
 */
export function testPlugin(runner: Runner, conformance: Conformance): void {
  for (const { title, groups } of suitesOf(conformance))
    runner.describe(title, () => {
      for (const { title: heading, checks } of groups)
        if (checks.length > 0)
          runner.describe(heading, () => {
            for (const { title: promise, run, skip } of checks) {
              if (skip) runner.test.skip(`${promise} (${skip})`, run)
              else runner.test(promise, run)
            }
          })
    })
}
