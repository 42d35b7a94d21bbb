import { statSync } from 'node:fs'
import type { JsonObject } from '../contracts/dataset.js'
import type { Problem } from '../errors.js'
import type { IndexedContribution, PluginIndex } from '../host/plugin-index.js'
import { parseArguments } from './arguments.js'
import { completeOptions, type PlacedValues } from './contribution-options.js'
import { problemOf, shown } from './given.js'
import { resolveNames } from './selection.js'
import { tableOf, type OptionTable } from './table.js'

const MOUNT = 'tool'

export interface ToolOptions {
  options: JsonObject
  /** Everything that is wrong, at once. */
  problems: Problem[]
}

/** The flags of a tool. */
export const toolTable = (tool: IndexedContribution): OptionTable => tableOf(tool, MOUNT)

/** Reads the command line of a tool: its options with defaults, from its manifest alone. */
export function resolveTool(index: PluginIndex, tool: IndexedContribution, argv: readonly string[], command: string): ToolOptions {
  const table = toolTable(tool)
  const { given, problems } = parseArguments(argv, table, command)
  const all = [...problems, ...resolveNames(index, given)]
  const values: PlacedValues = new Map(given.map((item) => [item.entry.path.slice(MOUNT.length + 1), { value: item.value, name: item.name }]))
  const completed = completeOptions(table, tool, MOUNT, values)
  // What is missing is said in the command's own words, and not of a flag whose value cannot be read.
  const told = new Set(problems.flatMap((problem) => problem.flags))
  for (const key of tool.options?.required ?? []) {
    const names = table.entries.find((entry) => entry.path === `${MOUNT}.${key}`)?.names ?? []
    if (!values.has(key) && !names.some((name) => told.has(name))) all.push({ flags: names.slice(0, 1), message: `${command} needs ${names[0]}.`, hint: `${command} --help says what it is.` })
    for (const name of names) told.add(name)
  }
  all.push(...completed.problems.filter((problem) => !problem.flags.some((flag) => told.has(flag))))
  for (const { entry, value, name } of given) {
    const wanted = entry.schema.input
    const reason = wanted && typeof value === 'string' ? unreadable(value, wanted) : undefined
    if (reason) all.push({ ...problemOf(name, `${shown(value)} ${reason}`, `Give the path of a file${wanted === 'path' ? ' or folder' : ''} that can be read.`), code: 'E_INPUT_FILE' })
  }
  return { options: completed.options, problems: all }
}

function unreadable(path: string, wanted: 'file' | 'path'): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 'does not exist'
  return wanted === 'file' && found.isDirectory() ? 'is a folder, expected a file' : undefined
}
