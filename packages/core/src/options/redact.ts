import type { Json, JsonObject } from '../contracts/dataset.js'
import { isJsonObject } from '../json.js'
import { REDACTED, redactHeader, withoutUserInfo } from '../secrets.js'
import type { OptionTable } from './table.js'

/** What the user set, as files and screens may show it: keys, header values and passwords in URLs replaced. */
export function redactExplicit(explicit: JsonObject): JsonObject {
  const copy = structuredClone(explicit)
  const endpoint = copy['endpoint']
  if (isJsonObject(endpoint)) {
    for (const key of ['apiKey', 'api_key']) if (endpoint[key] !== undefined) endpoint[key] = REDACTED
    if (Array.isArray(endpoint['urls'])) endpoint['urls'] = endpoint['urls'].map((url) => withoutUserInfo(String(url)))
    if (Array.isArray(endpoint['headers']))
      endpoint['headers'] = (endpoint['headers'] as Json[][]).map(([name, value]) => [name!, redactHeader(String(name), String(value))])
  }
  return copy
}

/** The command line as a person may paste it into a report: quoted where needed, secrets replaced. */
export function redactCommand(argv: readonly string[], table: OptionTable): string {
  const words: string[] = []
  let secret = false
  for (const word of argv) {
    const equals = word.startsWith('-') ? word.indexOf('=') : -1
    const name = equals > 0 ? word.slice(0, equals) : word
    if (word.startsWith('-')) {
      secret = table.byName.get(name)?.entry.schema.secret === true
      words.push(secret && equals > 0 ? `${name}=${hidden(word.slice(equals + 1))}` : quoted(withoutUserInfo(word)))
    } else words.push(secret ? hidden(word) : quoted(withoutUserInfo(word)))
  }
  return words.join(' ')
}

/** A header keeps its name, and its value unless the name says it is a secret. */
function hidden(word: string): string {
  const colon = word.indexOf(':')
  const name = colon > 0 ? word.slice(0, colon).trim() : undefined
  if (name !== undefined && /^[A-Za-z0-9-]+$/.test(name)) return quoted(`${word.slice(0, colon + 1)}${redactHeader(name, word.slice(colon + 1))}`)
  return quoted(REDACTED)
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
