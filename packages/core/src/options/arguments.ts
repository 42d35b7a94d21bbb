import type { Problem } from '../errors.js'
import { didYouMean } from '../host/nearest.js'
import { givenFromTexts, missingValue, problemOf, type Given } from './given.js'
import type { JsonSchema } from './json-schema.js'
import { REFERENCE_FLAGS } from './reference-flags.js'
import type { OptionEntry, OptionTable } from './table.js'

export interface ParsedArguments {
  given: Given[]
  problems: Problem[]
  /** `--config FILE` as it was written. */
  config?: { path: string; name: string }
  help: boolean
}

const PROFILE = 'aiperf profile'
const CONFIG = new Set(['--config', '-f'])
const HELP = new Set(['--help', '-h'])
const isBoolean = (schema: JsonSchema): boolean => schema.type === 'boolean'
const isList = (schema: JsonSchema): boolean => schema.type === 'array' || schema.text !== undefined
const looksLikeFlag = (word: string | undefined): boolean => word !== undefined && /^--?[A-Za-z]/.test(word)

/**
 * Reads the command line of `command` into values; config files belong to runs alone. Every problem is collected: unknown flags (with the nearest real ones), missing or
 * unreadable values, values out of bounds, flags given twice.
 */
export function parseArguments(argv: readonly string[], table: OptionTable, command: string = PROFILE): ParsedArguments {
  const parsed: ParsedArguments = { given: [], problems: [], help: false }
  const texts = new Map<string, { entry: OptionEntry; warmup: boolean; name: string; texts: string[] }>()
  let i = 0
  while (i < argv.length) {
    const word = argv[i++]!
    const equals = word.startsWith('-') ? word.indexOf('=') : -1
    const name = equals > 0 ? word.slice(0, equals) : word
    const attached = equals > 0 ? word.slice(equals + 1) : undefined
    if (!word.startsWith('-')) {
      // A word after a flag that holds a secret may be the secret.
      const stray = table.byName.get(argv[i - 2]?.split('=', 1)[0] ?? '')?.entry.schema.secret ? 'A value' : JSON.stringify(word)
      parsed.problems.push({ flags: [], message: `${stray} belongs to no flag.`, hint: 'Values follow their flag; quote a value that holds spaces.' })
      continue
    }
    if (HELP.has(name)) {
      parsed.help = true
      continue
    }
    if (CONFIG.has(name) && command === PROFILE) {
      const path = attached ?? (looksLikeFlag(argv[i]) ? undefined : argv[i++])
      if (path === undefined) parsed.problems.push(problemOf(name, 'needs the name of a file'))
      else if (parsed.config) parsed.problems.push(problemOf(name, 'is given twice; it takes one file'))
      else parsed.config = { path, name }
      continue
    }
    const found = table.byName.get(name)
    const negated = found ? undefined : negation(name, table)
    const target = found ?? negated
    if (!target) {
      parsed.problems.push(command === PROFILE ? unknownFlag(name, table) : noFlag(name, table, command))
      // What follows are most likely its values: one problem is enough.
      if (attached === undefined) while (i < argv.length && !argv[i]!.startsWith('-')) i++
      continue
    }
    const { entry, warmup } = target
    const values: string[] = []
    if (negated) values.push('false')
    else if (attached !== undefined) values.push(attached)
    else if (isBoolean(entry.schema)) values.push(/^(true|false)$/i.test(argv[i] ?? '') ? argv[i++]! : 'true')
    else if (isList(entry.schema) && !entry.schema.single) while (i < argv.length && !looksLikeFlag(argv[i])) values.push(argv[i++]!)
    else if (i < argv.length && !argv[i]!.startsWith('--') && !isShortFlag(argv[i]!, table)) values.push(argv[i++]!)
    if (values.length === 0) {
      parsed.problems.push(missingValue(entry, name))
      continue
    }
    const id = `${entry.path} ${entry.names[0]} ${warmup}`
    const before = texts.get(id)
    if (!before) texts.set(id, { entry, warmup, name, texts: values })
    else if (isList(entry.schema)) before.texts.push(...values)
    else parsed.problems.push(problemOf(name, before.name === name ? 'is given twice; it takes one value' : `and ${before.name} are the same option and are both given`))
  }
  for (const { entry, warmup, name, texts: values } of texts.values()) {
    const given = givenFromTexts(entry, warmup, values, 'flag', name)
    if (Array.isArray(given)) parsed.problems.push(...given)
    else parsed.given.push(given)
  }
  return parsed
}

const isShortFlag = (word: string, table: OptionTable): boolean => {
  const name = word.split('=', 1)[0]!
  return table.byName.has(name) || HELP.has(name) || CONFIG.has(name)
}

/** `--no-x` for an option that is on or off, and the reference's `--group-no-x` for `--group-x`. */
function negation(name: string, table: OptionTable): { entry: OptionEntry; warmup: boolean } | undefined {
  const target = table.byName.get(name.replace('-no-', '-'))
  return target && isBoolean(target.entry.schema) ? target : undefined
}

/** Why a flag cannot be used: the reference's that nothing here offers yet, or a word that is no flag at all. */
function unknownFlag(name: string, table: OptionTable): Problem {
  if (REFERENCE_FLAGS.has(name))
    return { flags: [name], message: `${name} is known to AIPerf 0.13.0, but nothing that is installed here offers it yet.`, hint: 'Leave it out, or install a plugin that has it; aiperf profile --help lists every flag there is.' }
  return noFlag(name, table, PROFILE)
}

function noFlag(name: string, table: OptionTable, command: string): Problem {
  const candidates = [...table.byName.keys(), ...(command === PROFILE ? ['--config'] : []), '--help'].filter((flag) => flag.startsWith('--'))
  const near = didYouMean(name.replace(/^-+/, ''), candidates.map((flag) => flag.slice(2)))
  return {
    code: 'E_FLAG_UNKNOWN',
    flags: [name],
    message: `${name} is no flag of ${command}.`,
    hint: near ? near.replaceAll(/(?<=mean |, |or )(?=\S)/g, '--') : `${command} --help lists every flag.`,
  }
}
