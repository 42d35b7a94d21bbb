import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { AiperfError, kindByName, type JsonObject, type Kind } from '@aiperf/core'
import { didYouMean } from '@aiperf/core/host'

/** Words of the templates that stand for what the author chose; they are valid in names, modules and texts. */
interface Words {
  kebab: string
  snake: string
  title: string
  packageName: string
  coreRange: string
  conformanceRange: string
}
export interface TemplateChoice {
  kind: string
  name: string
  /** npm name; `aiperf-plugin-<name>` when absent. */
  packageName?: string
  coreVersion: string
}
export interface MadePackage {
  kind: Kind
  packageName: string
  /** The contribution's name. */
  contribution: string
  /** Content by path within the package. */
  files: ReadonlyMap<string, string>
}

/** The published program brings the templates; in a checkout, which its compiler's settings give away, they stand at the root. */
export function templatesOf(root: string): string {
  const program = basename(root) === 'bundle' ? dirname(root) : root
  return existsSync(join(program, 'tsconfig.json')) ? join(program, '../../templates') : join(program, 'templates')
}

/** Kinds for which there is a template. */
export const templateKinds = (templates: string): Kind[] => readdirSync(templates).filter((name) => existsSync(join(templates, name, 'package.json'))).map((name) => kindByName(name)).filter((kind): kind is Kind => kind !== undefined)

/** Fills in the template of a kind. Pure but for reading the templates' folder. */
export function fromTemplate(templates: string, { kind: kindWord, name, packageName, coreVersion }: TemplateChoice): MadePackage {
  const kinds = templateKinds(templates)
  const kind = kindByName(kindWord)
  if (!kind || !kinds.includes(kind)) throw new AiperfError('E_COMMAND', `There is no template for "${kindWord}".`, { hint: `${didYouMean(kindWord, kinds)} Templates: ${kinds.join(', ')}.`.trim() })
  if (!/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/.test(name)) throw new AiperfError('E_COMMAND', `"${name}" is no name for a contribution.`, { hint: 'Use lower-case letters and digits, words joined by "-" or "_", such as my-endpoint.' })
  const parts = name.split(/[_-]/)
  const owner = packageName ?? `aiperf-plugin-${parts.join('-')}`
  if (!/^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(owner)) throw new AiperfError('E_COMMAND', `"${owner}" is no name for an npm package.`, { hint: 'Use lower-case letters, digits, "-" and "_"; a scope as in @acme/aiperf-endpoint.' })
  const words: Words = {
    kebab: parts.join('-'), snake: parts.join('_'), title: parts.map((part) => part[0]!.toUpperCase() + part.slice(1)).join(' '),
    packageName: owner, coreRange: `^${coreVersion}`, conformanceRange: `^${coreVersion}`,
  }
  const fill = (text: string) => filled(text, words)
  const files = new Map<string, string>()
  for (const { path, text } of [...filesOf(join(templates, 'shared')), ...filesOf(join(templates, kind))]) if (!['package.json', 'README.md', 'usage.md'].includes(path)) files.set(fill(path === 'gitignore' ? '.gitignore' : path), fill(text))

  const read = (folder: string, file: string) => readFileSync(join(templates, folder, file), 'utf8')
  const own = JSON.parse(fill(read(kind, 'package.json'))) as JsonObject & { description: string }
  const shared = JSON.parse(fill(read('shared', 'package.json'))) as JsonObject
  const manifest = { ...shared, ...own, aiperf: { ...(shared['aiperf'] as JsonObject), ...(own['aiperf'] as JsonObject) } }
  files.set('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  files.set('README.md', fill(read('shared', 'README.md')).replace('DESCRIPTION', () => own.description).replace('USAGE', () => fill(read(kind, 'usage.md')).trim()))
  return { kind, packageName: owner, contribution: words.snake, files }
}

function filled(text: string, { kebab, snake, title, packageName, coreRange, conformanceRange }: Words): string {
  const camel = kebab.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return text.replaceAll('acme-name', kebab).replaceAll('acme_name', snake).replaceAll('Acme Name', title).replaceAll('acmeName', camel).replaceAll('PACKAGE-NAME', packageName).replaceAll('CORE-RANGE', coreRange).replaceAll('CONFORMANCE-RANGE', conformanceRange)
}

function filesOf(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return { path: path.slice(folder.length + 1).split(sep).join('/'), text: readFileSync(path, 'utf8') }
  })
}
