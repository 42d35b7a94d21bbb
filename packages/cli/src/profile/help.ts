import type { PluginIndex } from '@aiperf/core/host'
import { buildTable, helpGroups, type HelpGroup } from '@aiperf/core/options'
import { bold, groupsText, HELP_OPTION, plainOption } from '../option-help.js'
import { wrap } from '../text-layout.js'

/** Every flag of every installed package, by group, from manifests alone. */
export function profileGroups(index: PluginIndex): readonly Pick<HelpGroup, 'title' | 'options'>[] {
  const general = [
    plainOption(['--config', '-f'], 'YAML, JSON or JavaScript file with options; else .aiperfrc or aiperf.config.* of the working directory', { variables: ['AIPERF_CONFIG'], value: '<file>' }),
    HELP_OPTION,
  ]
  return [{ title: 'General', options: general }, ...helpGroups(index, buildTable(index))]
}

/** Help of `aiperf profile`. */
export function profileHelp(index: PluginIndex, intro: { summary: string; description: string; examples: readonly string[] }): string {
  return [
    `${intro.summary}\n\n${bold('USAGE')}\n  $ aiperf profile --model NAME [FLAGS]\n\n`,
    wrap(intro.description, 2),
    ...intro.examples.map((example) => `\n${bold('EXAMPLE')}\n  $ ${example}\n`),
    groupsText(profileGroups(index)),
  ].join('')
}
