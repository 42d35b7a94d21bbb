import type { PluginIndex } from '@aiperf/core/host'
import { buildTable, helpGroups, type HelpOption } from '@aiperf/core/options'
import { wrap } from '../text-layout.js'

const INDENT = 8

/** Help of `aiperf profile`: every flag of every installed package, by group, from manifests alone. */
export function profileHelp(index: PluginIndex, intro: { summary: string; description: string; examples: readonly string[] }): string {
  const bold = (text: string) => (process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? `\u001b[1m${text}\u001b[0m` : text)
  const groups = helpGroups(index, buildTable(index))
  const general: HelpOption[] = [
    { ...PLAIN, names: ['--config', '-f'], variables: ['AIPERF_CONFIG'], value: '<file>', description: 'YAML, JSON or JavaScript file with options; else .aiperfrc or aiperf.config.* of the working directory' },
    { ...PLAIN, names: ['--help', '-h'], description: 'Show this' },
  ]
  return [
    `${intro.summary}\n\n${bold('USAGE')}\n  $ aiperf profile --model NAME [FLAGS]\n\n`,
    wrap(intro.description, 2),
    ...intro.examples.map((example) => `\n${bold('EXAMPLE')}\n  $ ${example}\n`),
    ...[{ title: 'General', options: general }, ...groups].map(({ title, options }) => `\n${bold(title.toUpperCase())}\n${options.map((option) => optionText(option, bold)).join('')}`),
  ].join('')
}

const PLAIN: HelpOption = { names: [], warmupNames: [], variables: [], path: '', value: undefined, description: '', default: undefined, choices: undefined, repeats: false, sweeps: false, appliesTo: [] }

function optionText(option: HelpOption, bold: (text: string) => string): string {
  const names = option.names.map(bold).join(', ')
  const facts = [
    option.default === undefined || option.default === false || JSON.stringify(option.default) === '[]' || JSON.stringify(option.default) === '{}' ? '' : `default: ${Array.isArray(option.default) ? option.default.join(', ') : String(option.default)}`,
    option.choices && option.choices.length > 0 ? `choices: ${option.choices.join(', ')}` : '',
    option.warmupNames.length > 0 ? `warm-up: ${option.warmupNames.join(', ')}` : '',
  ].filter((fact) => fact !== '')
  const text = `${option.description}${facts.length > 0 ? ` [${facts.join('; ')}]` : ''}`
  return `  ${names}${option.value === undefined ? '' : ` ${option.value}`}${option.repeats ? ' …' : ''}\n${wrap(text, INDENT)}`
}
