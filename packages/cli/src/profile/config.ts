import { readFileSync, readdirSync } from 'node:fs'
import { extname, relative, resolve } from 'node:path'
import { AiperfError, type JsonObject } from '@aiperf/core'
import type { ConfigFile } from '@aiperf/core/options'

/** Names under which a config file is found in the working directory, in this order. */
const PLACES = ['.aiperfrc', '.aiperfrc.json', '.aiperfrc.yaml', '.aiperfrc.yml', 'aiperf.config.yaml', 'aiperf.config.yml', 'aiperf.config.json', 'aiperf.config.js', 'aiperf.config.mjs', 'aiperf.config.cjs']

/** The config file that is asked for, else the one in the working directory. */
export async function loadConfig(asked: { path: string; name: string } | undefined, notice: (text: string) => void): Promise<ConfigFile | undefined> {
  if (asked) return readConfig(resolve(asked.path), asked.path, asked.name)
  // Looking costs nothing; the package that loads every form of file is loaded when there is one.
  const present = new Set(readdirSync('.'))
  if (!PLACES.some((place) => present.has(place))) return undefined
  const { cosmiconfig } = await import('cosmiconfig')
  const text = (path: string, content: string) => ({ path, content })
  const explorer = cosmiconfig('aiperf', { searchPlaces: PLACES, searchStrategy: 'none', loaders: { noExt: text, '.json': text, '.yaml': text, '.yml': text } })
  const found = await explorer.search(process.cwd()).catch((error: Error) => {
    throw new AiperfError('E_INPUT_FILE', `The config file cannot be loaded: ${error.message}`)
  })
  if (!found || found.isEmpty) return undefined
  const name = relative('.', found.filepath)
  notice(`Options are read from ${name} too.`)
  return isCode(found.filepath) ? codeConfig(found.config as unknown, name) : readConfig(found.filepath, name, undefined)
}

const isCode = (path: string): boolean => ['.js', '.mjs', '.cjs'].includes(extname(path))

async function readConfig(path: string, name: string, flag: string | undefined): Promise<ConfigFile> {
  const prefix = flag === undefined ? '' : `${flag}: `
  if (isCode(path)) {
    const { cosmiconfig } = await import('cosmiconfig')
    const loaded = await cosmiconfig('aiperf').load(path).catch((error: Error) => {
      throw new AiperfError('E_INPUT_FILE', `${prefix}${name} cannot be loaded: ${error.message}`)
    })
    return codeConfig(loaded?.config as unknown, name)
  }
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder, expected a file' : `cannot be read: ${message}`
    throw new AiperfError('E_INPUT_FILE', `${prefix}${name} ${reason}.`, { hint: 'Give the path of a YAML or JSON file.' })
  }
  const { readYaml } = await import('./yaml.js')
  const file = readYaml(text, name)
  return hasTemplate(text) ? { ...file, render: await templateEngine() } : file
}

const hasTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%')

/** Jinja's language; a name that is not there is an error, and nothing is escaped. Loaded for files that need it. */
async function templateEngine(): Promise<NonNullable<ConfigFile['render']>> {
  const { default: nunjucks } = await import('nunjucks')
  const environment = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: true })
  return (template, names) => environment.renderString(template, names)
}

function codeConfig(value: unknown, name: string): ConfigFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AiperfError('E_CONFIG', `${name} must export a mapping of options.`)
  return { name, content: JSON.parse(JSON.stringify(value)) as JsonObject, lineOf: () => undefined }
}

