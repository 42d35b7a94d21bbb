import type { Json, JsonObject } from '../contracts/dataset.js'
import type { RunModel } from '../contracts/run.js'
import { withoutUserInfo } from './given.js'
import type { OptionTable } from './table.js'

const REDACTED = '<redacted>'
/** Headers whose values are worth nothing to a reader of results and much to a thief. */
const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|.*(token|secret|password|credential|[-_]key))$/i

const isSecretHeader = (name: string): boolean => SECRET_HEADER.test(name)

/** The model as files and screens may show it: keys, header values and passwords in URLs replaced by `<redacted>`. */
export function redactModel(model: RunModel): JsonObject {
  const { endpoint } = model
  const shown = {
    ...model,
    endpoint: {
      ...endpoint,
      urls: endpoint.urls.map(withoutUserInfo),
      ...(endpoint.apiKey === undefined ? {} : { apiKey: REDACTED }),
      headers: endpoint.headers.map(([name, value]) => [name, isSecretHeader(name) ? REDACTED : value]),
    },
  }
  return JSON.parse(JSON.stringify(shown)) as JsonObject
}

/** As `redactModel`, for what the user set. */
export function redactExplicit(explicit: JsonObject): JsonObject {
  const copy = structuredClone(explicit)
  const endpoint = copy['endpoint']
  if (typeof endpoint === 'object' && endpoint !== null && !Array.isArray(endpoint)) {
    for (const key of ['apiKey', 'api_key']) if (endpoint[key] !== undefined) endpoint[key] = REDACTED
    if (Array.isArray(endpoint['urls'])) endpoint['urls'] = endpoint['urls'].map((url) => withoutUserInfo(String(url)))
    if (Array.isArray(endpoint['headers']))
      endpoint['headers'] = (endpoint['headers'] as Json[][]).map(([name, value]) => [name!, isSecretHeader(String(name)) ? REDACTED : value!])
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
  if (name !== undefined && /^[A-Za-z0-9-]+$/.test(name)) return quoted(isSecretHeader(name) ? `${name}:${REDACTED}` : word)
  return quoted(REDACTED)
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
