import { existsSync, writeFileSync } from 'node:fs'
import { Command, Flags } from '@oclif/core'
import { AiperfError } from '@aiperf/core'
import { fillTemplate, templates } from '../../config/templates.js'

export default class ConfigInit extends Command {
  static override summary = 'Write a config file to begin with.'
  static override examples = ['<%= config.bin %> config init --list', '<%= config.bin %> config init --template concurrency-sweep --model my-model --url http://localhost:8000 --output sweep.yaml']
  static override flags = {
    template: Flags.string({ char: 't', description: 'Name of the template.' }),
    list: Flags.boolean({ char: 'l', description: 'List the templates.' }),
    search: Flags.string({ char: 's', description: 'List the templates whose name, title or content holds this text.' }),
    category: Flags.string({ char: 'c', description: 'List the templates of this category.' }),
    model: Flags.string({ char: 'm', description: 'Name of the model to write into it.' }),
    url: Flags.string({ char: 'u', description: 'URL of the server to write into it.' }),
    output: Flags.string({ char: 'o', description: 'File to write; stdout when not given.' }),
    verbose: Flags.boolean({ char: 'v', description: 'List the templates with their content.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigInit)
    if (flags.list || flags.search !== undefined || flags.category !== undefined) return this.#list(flags)
    if (flags.template === undefined) throw new AiperfError('E_COMMAND', 'No template is named.', { hint: 'aiperf config init --list shows them; --template NAME takes one.' })
    const text = fillTemplate(flags.template, { ...(flags.model === undefined ? {} : { model: flags.model }), ...(flags.url === undefined ? {} : { url: flags.url }) })
    if (flags.output === undefined) return void process.stdout.write(text)
    if (existsSync(flags.output)) throw new AiperfError('E_COMMAND', `${flags.output} exists already.`, { hint: 'Name another file with --output, or remove it.' })
    writeFileSync(flags.output, text)
    process.stderr.write(`${flags.output} is written.\n`)
  }

  #list({ search, category, verbose }: { search?: string | undefined; category?: string | undefined; verbose: boolean }): void {
    const wanted = search?.toLowerCase()
    const found = templates().filter((t) => (category === undefined || t.category.toLowerCase() === category.toLowerCase()) && (wanted === undefined || `${t.name} ${t.title} ${t.text}`.toLowerCase().includes(wanted)))
    if (found.length === 0) throw new AiperfError('E_COMMAND', 'No template is like that.', { hint: `Categories: ${[...new Set(templates().map((t) => t.category))].join(', ')}.` })
    const width = Math.max(...found.map((t) => t.name.length))
    let before = ''
    for (const t of found) {
      if (t.category !== before) process.stdout.write(`${before === '' ? '' : '\n'}${t.category}\n`)
      before = t.category
      process.stdout.write(`  ${t.name.padEnd(width)}  ${t.title}\n${verbose ? `\n${t.text.replaceAll(/^/gm, '    ')}\n` : ''}`)
    }
  }
}
