import { KINDS, kindByName } from '@aiperf/core'
import { contributionsOf, type PluginIndex } from '@aiperf/core/host'
import type { HelpOption } from '@aiperf/core/options'
import type { Command } from '@oclif/core'
import type { Config } from '@oclif/core/interfaces'
import { installedPlugins } from '../installed.js'
import { HELP_OPTION, plainOption } from '../option-help.js'
import { templateKinds, templatesOf } from '../plugins/template.js'
import { profileGroups } from '../profile/help.js'
import { toolGroups, toolOf } from '../tools/help.js'
import { SCRIPTS } from './scripts.js'

/** What may stand at a place of a command line. */
export interface Candidate {
  value: string
  description: string
}

/**
 * What may stand in the place of the last of `words` (the program's name left out): commands, flags of the command that the
 * words before it name, values of the flag before it. From manifests alone. None: a path, or free text.
 */
export function candidates(config: Config, words: readonly string[]): Candidate[] {
  // `--flag=value` comes as one word, or, from a shell that splits there, as three.
  const apart = words.flatMap((word) => (/^--[^=]+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word]))
  const glued = /^--[^=]+=/.exec(words.at(-1) ?? '')?.[0] ?? ''
  const [begun = '', ...backwards] = apart.map((word) => (word === '=' ? '' : word)).reverse()
  const before = backwards.reverse().filter((word) => word !== '')
  return offers(config, before, begun)
    .filter(({ value }) => value.startsWith(begun))
    .map(({ value, description }) => ({ value: glued + value, description }))
}

function offers(config: Config, before: readonly string[], begun: string): Candidate[] {
  const { id, rest } = commandOf(config, before)
  const below = rest.length === 0 && !begun.startsWith('-') ? commandsBelow(config, id) : []
  const command = config.findCommand(id)
  if (!command) return below
  const index = installedPlugins(config)
  const options = optionsOf(index, command, rest)
  const given = rest.findLast((word) => word.startsWith('-')) ?? ''
  const flag = options.find(({ names, warmupNames }) => names.includes(given) || warmupNames.includes(given))
  if (!begun.startsWith('-') && flag?.value !== undefined && (flag.repeats || rest.at(-1)!.startsWith('-'))) return listed(flag, begun)
  if (begun.startsWith('-')) return options.flatMap(({ names, warmupNames, description }) => [...names, ...warmupNames].map((value) => ({ value, description })))
  return [...below, ...argumentsOf(config, index, id, rest.filter((word) => !word.startsWith('-')))]
}

/** The command that words name, and the words after its name. */
function commandOf(config: Config, words: readonly string[]): { id: string; rest: readonly string[] } {
  const known = [...config.commandIDs, ...config.topics.map(({ name }) => name)]
  let length = 0
  while (length < words.length && known.some((id) => `${id}:`.startsWith(`${words.slice(0, length + 1).join(':')}:`))) length++
  return { id: words.slice(0, length).join(':'), rest: words.slice(length) }
}

function commandsBelow(config: Config, id: string): Candidate[] {
  const start = id === '' ? '' : `${id}:`
  const all = [...config.topics.map(({ name, description }) => [name, description] as const), ...config.commands.filter(({ id: own, aliases, hidden }) => !hidden && !aliases.includes(own)).map(({ id: name, summary, description }) => [name, summary ?? description] as const)]
  const found = new Map<string, string>()
  for (const [name, description] of all) {
    const word = name.slice(start.length)
    if (name.startsWith(start) && word !== '' && !word.includes(':')) found.set(word, description ?? '')
  }
  return [...found].map(([value, description]) => ({ value, description })).sort((a, b) => (a.value < b.value ? -1 : 1))
}

/** The flags of a command, as its help shows them. */
function optionsOf(index: PluginIndex, command: Command.Loadable, rest: readonly string[]): readonly HelpOption[] {
  if (command.id === 'profile') return profileGroups(index).flatMap(({ options }) => options)
  const tool = toolOf(index, command, rest)
  if (tool) return toolGroups(index, tool).flatMap(({ options }) => options)
  const own = Object.values(command.flags).filter(({ hidden }) => !hidden).map((flag) => {
    const value = flag.type === 'option' ? (flag.helpValue as string | undefined) ?? '<value>' : undefined
    const names = [`--${flag.name}`, ...(flag.char ? [`-${flag.char}`] : []), ...(flag.type === 'boolean' && flag.allowNo ? [`--no-${flag.name}`] : [])]
    return plainOption(names, flag.summary ?? flag.description ?? '', { value, choices: flag.type === 'option' ? flag.options : undefined, repeats: flag.type === 'option' && flag.multiple === true })
  })
  return [...own, HELP_OPTION]
}

/** The choices of a flag; of a list with commas, those of its last part. */
function listed(flag: HelpOption, begun: string): Candidate[] {
  const start = flag.repeats || flag.sweeps ? begun.slice(0, begun.lastIndexOf(',') + 1) : ''
  return (flag.choices ?? []).map((choice) => ({ value: start + choice, description: '' }))
}

/** What a command takes besides flags, where it is the name of something that there is. */
function argumentsOf(config: Config, index: PluginIndex, id: string, given: readonly string[]): Candidate[] {
  const kind = kindByName(given[0] ?? '')
  const contributions = (of: typeof kind) => (of === undefined ? [] : contributionsOf(index, of).map(({ name, meta }) => ({ value: name, description: String(meta['description'] ?? '') })))
  const packages = (installed: boolean) => index.packages.filter((p) => !installed || p.origin !== 'bundled').map(({ name, version }) => ({ value: name, description: version }))
  const titled = (kinds: readonly (keyof typeof KINDS)[]) => kinds.map((value) => ({ value, description: KINDS[value].title }))
  const byPlace: Record<string, readonly (() => Candidate[])[]> = {
    plugins: [() => titled(Object.keys(KINDS) as (keyof typeof KINDS)[]), () => contributions(kind)],
    'plugins:create': [() => titled(templateKinds(templatesOf(config.root)))],
    'plugins:doctor': [() => packages(false)],
    'plugins:inspect': [() => packages(false)],
    tool: [() => contributions('tool')],
    completion: [() => Object.keys(SCRIPTS).map((value) => ({ value, description: '' }))],
  }
  if (['plugins:uninstall', 'plugins:unlink', 'plugins:remove', 'plugins:update'].includes(id)) return packages(true).filter(({ value }) => !given.includes(value))
  return byPlace[id]?.[given.length]?.() ?? []
}
