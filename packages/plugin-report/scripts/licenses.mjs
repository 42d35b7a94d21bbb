// The licences of what a bundle contains, in one text.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the package that a module is part of; undefined for our own. */
function packageOf(module) {
  if (!module.includes('node_modules')) return undefined
  let folder = dirname(module)
  while (!existsSync(join(folder, 'package.json')) || !JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name) folder = dirname(folder)
  return folder
}

/** One notice per different licence text, with the packages it covers. */
export function licences(modules) {
  const folders = new Set([...modules].flatMap((module) => packageOf(module) ?? []))
  const texts = new Map()
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[sc]e/i.test(entry))
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`])
  }
  return [...texts].map(([text, covered]) => `${covered.join(', ')}\n\n${text}`).join('\n\n----\n\n')
}
