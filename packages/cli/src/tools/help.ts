import type { ToolMeta } from '@aiperf/core'
import type { IndexedContribution, PluginIndex } from '@aiperf/core/host'
import { helpGroups, toolTable } from '@aiperf/core/options'
import { bold, groupsText, HELP_OPTION } from '../option-help.js'

/** Help of a tool's command, from the manifest of its package. */
export function toolHelp(index: PluginIndex, tool: IndexedContribution, command: string): string {
  const { description, examples = [] } = tool.meta as unknown as ToolMeta
  const required = (tool.options?.required ?? []).flatMap((key) => tool.options?.properties?.[key]?.flag ?? [])
  return [
    `${description}\n\n${bold('USAGE')}\n  $ ${command}${required.map((flag) => ` ${flag} VALUE`).join('')} [FLAGS]\n`,
    ...(examples.length > 0 ? [`\n${bold('EXAMPLES')}\n${examples.map((example) => `  $ aiperf ${example}\n`).join('')}`] : []),
    groupsText([...helpGroups(index, toolTable(tool)), { title: 'General', options: [HELP_OPTION] }]),
  ].join('')
}
