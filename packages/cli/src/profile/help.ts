import type { PluginIndex } from '@aiperf/core/host'
import { buildTable, helpGroups } from '@aiperf/core/options'
import { bold, groupsText, HELP_OPTION, plainOption } from '../option-help.js'
import { wrap } from '../text-layout.js'

/** Help of `aiperf profile`: every flag of every installed package, by group, from manifests alone. */
export function profileHelp(index: PluginIndex, intro: { summary: string; description: string; examples: readonly string[] }): string {
  const general = [
    plainOption(['--config', '-f'], 'YAML, JSON or JavaScript file with options; else .aiperfrc or aiperf.config.* of the working directory', { variables: ['AIPERF_CONFIG'], value: '<file>' }),
    HELP_OPTION,
  ]
  return [
    `${intro.summary}\n\n${bold('USAGE')}\n  $ aiperf profile --model NAME [FLAGS]\n\n`,
    wrap(intro.description, 2),
    ...intro.examples.map((example) => `\n${bold('EXAMPLE')}\n  $ ${example}\n`),
    groupsText([{ title: 'General', options: general }, ...helpGroups(index, buildTable(index))]),
  ].join('')
}
