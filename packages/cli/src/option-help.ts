import type { HelpOption } from '@aiperf/core/options'
import { wrap } from './text-layout.js'

const INDENT = 8

export const bold = (text: string): string => (process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? `\u001b[1m${text}\u001b[0m` : text)

const PLAIN: HelpOption = { names: [], warmupNames: [], variables: [], path: '', value: undefined, description: '', default: undefined, choices: undefined, repeats: false, sweeps: false, appliesTo: [] }
export const plainOption = (names: string[], description: string, more: Partial<HelpOption> = {}): HelpOption => ({ ...PLAIN, names, description, ...more })
export const HELP_OPTION = plainOption(['--help', '-h'], 'Show this')

/** Flags under the headings of their groups. */
export function groupsText(groups: readonly { title: string; options: readonly HelpOption[] }[]): string {
  return groups.map(({ title, options }) => `\n${bold(title.toUpperCase())}\n${options.map(optionText).join('')}`).join('')
}

function optionText(option: HelpOption): string {
  const names = option.names.map(bold).join(', ')
  const facts = [
    option.default === undefined || option.default === false || JSON.stringify(option.default) === '[]' || JSON.stringify(option.default) === '{}' ? '' : `default: ${Array.isArray(option.default) ? option.default.join(', ') : String(option.default)}`,
    option.default === true ? `off: ${option.names.find((name) => name.startsWith('--'))!.replace('--', '--no-')}` : '',
    option.choices && option.choices.length > 0 ? `choices: ${option.choices.join(', ')}` : '',
    option.warmupNames.length > 0 ? `warm-up: ${option.warmupNames.join(', ')}` : '',
  ].filter((fact) => fact !== '')
  const text = `${option.description}${facts.length > 0 ? ` [${facts.join('; ')}]` : ''}`
  return `  ${names}${option.value === undefined ? '' : ` ${option.value}`}${option.repeats ? ' …' : ''}\n${wrap(text, INDENT)}`
}
