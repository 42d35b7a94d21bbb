import type { ToolMeta } from '@aiperf/core'
import type { Command } from '@oclif/core'
import { lookUp, type IndexedContribution, type PluginIndex } from '@aiperf/core/host'
import { helpGroups, toolTable, type HelpGroup } from '@aiperf/core/options'
import { bold, groupsText, HELP_OPTION } from '../option-help.js'

/** The tool that a command is, or that the words after it name. */
export function toolOf(index: PluginIndex, command: Command.Loadable, words: readonly string[]): IndexedContribution | undefined {
  const name = command.id === 'tool' ? words.find((word) => !word.startsWith('-')) : (command as { tool?: string }).tool
  const found = name === undefined ? undefined : lookUp(index, 'tool', name)
  return found && 'contribution' in found ? found.contribution : undefined
}

export const toolGroups = (index: PluginIndex, tool: IndexedContribution): readonly HelpGroup[] => [...helpGroups(index, toolTable(tool)), { title: 'General', options: [HELP_OPTION] }]

/** Help of a tool's command, from the manifest of its package. */
export function toolHelp(index: PluginIndex, tool: IndexedContribution, command: string): string {
  const { description, examples = [] } = tool.meta as unknown as ToolMeta
  const required = (tool.options?.required ?? []).flatMap((key) => tool.options?.properties?.[key]?.flag ?? [])
  return [
    `${description.replace(/\.$/, '')}.\n\n${bold('USAGE')}\n  $ ${command}${required.map((flag) => ` ${flag} VALUE`).join('')} [FLAGS]\n`,
    ...(examples.length > 0 ? [`\n${bold('EXAMPLES')}\n${examples.map((example) => `  $ aiperf ${example}\n`).join('')}`] : []),
    groupsText(toolGroups(index, tool)),
  ].join('')
}
