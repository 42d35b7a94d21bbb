import type { Problem } from '../errors.js'
import { didYouMean } from '../host/nearest.js'
import { givenFromTexts, type Given } from './given.js'
import type { OptionTable } from './table.js'

export interface ParsedEnvironment {
  given: Given[]
  problems: Problem[]
  notices: string[]
  config?: { path: string; name: string }
}

/** Variables with our prefix that are not options of a run: they steer the command line program itself. */
const PROGRAM = /^AIPERF_(DEBUG|LOG_LEVEL|(CACHE|CONFIG|DATA)_DIR|NPM_.*|SKIP_.*|PLUGINS?_.*|.*_PLUGIN_.*|NEW_VERSION_CHECK|HIDE_UPDATE_MESSAGE|TEST_.*|INJECTED_.*)$/

/** Reads the AIPERF_* variables. Names count in any case; an empty value is no value. */
export function parseEnvironment(env: Readonly<Record<string, string | undefined>>, table: OptionTable): ParsedEnvironment {
  const parsed: ParsedEnvironment = { given: [], problems: [], notices: [] }
  const seen = new Map<string, string>()
  for (const [name, text] of Object.entries(env)) {
    const upper = name.toUpperCase()
    if (text === undefined || text === '' || !upper.startsWith('AIPERF_')) continue
    if (upper === 'AIPERF_CONFIG') {
      parsed.config = { path: text, name }
      continue
    }
    const target = table.byVariable.get(upper)
    if (!target) {
      if (!PROGRAM.test(upper)) parsed.notices.push(`${name} is set, but it is no option here and has no effect. ${didYouMean(upper, table.byVariable.keys())}`.trim())
      continue
    }
    const id = `${target.entry.path} ${target.entry.names[0]} ${target.warmup}`
    const other = seen.get(id)
    if (other !== undefined) {
      parsed.problems.push({ flags: [name, other], message: `${name} and ${other} are the same option and are both set.`, hint: 'Unset one of them.' })
      continue
    }
    seen.set(id, name)
    const given = givenFromTexts(target.entry, target.warmup, [text], 'variable', name)
    if (Array.isArray(given)) parsed.problems.push(...given)
    else parsed.given.push(given)
  }
  return parsed
}
