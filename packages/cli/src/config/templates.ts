import { readdirSync, readFileSync } from 'node:fs'
import { didYouMean } from '@aiperf/core/host'
import { AiperfError } from '@aiperf/core'

/** A config file to begin with. */
export interface Template {
  name: string
  title: string
  category: string
  text: string
}

const FOLDER = new URL('../../config-templates/', import.meta.url)

/** Every template, by category and name. Its first two lines say what it is. */
export function templates(): Template[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file): Template => {
      const whole = readFileSync(new URL(file, FOLDER), 'utf8')
      const [title, category, ...lines] = whole.split('\n')
      return { name: file.slice(0, -'.yaml'.length), title: title!.replace(/^#\s*/, ''), category: category!.replace(/^#\s*category:\s*/, ''), text: lines.join('\n') }
    })
    .sort((a, b) => a.category.localeCompare(b.category) || a.name.localeCompare(b.name))
}

/** A template's text with the user's model and server in it. */
export function fillTemplate(name: string, { model, url }: { model?: string; url?: string }): string {
  const all = templates()
  const found = all.find((t) => t.name === name.toLowerCase().replaceAll('_', '-'))
  if (!found) throw new AiperfError('E_COMMAND', `There is no template ${JSON.stringify(name)}.`, { hint: didYouMean(name, all.map((t) => t.name)) || 'aiperf config init --list shows them.' })
  const text = `# ${found.title}. aiperf profile --config FILE runs it; aiperf config validate FILE checks it.\n${found.text}`
  return text
    .replaceAll(/my-(embedding-)?model/g, (standard) => (model === undefined ? standard : JSON.stringify(model)))
    .replaceAll('http://localhost:8000', url ?? 'http://localhost:8000')
}
