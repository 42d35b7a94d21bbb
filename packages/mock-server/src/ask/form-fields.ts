import type { HttpRequest } from '../http/request.js'
import { Fields } from './fields.js'
import { parseForm, type FormFile } from './form.js'

/** The fields of a body that is a form or, where the API takes both, JSON. */
export interface Submitted {
  readonly fields: Fields
  readonly files: readonly FormFile[]
}

/**
 * Reads a form or JSON by the request's content type. Of a form all values are text: those named in `typed` are read as
 * JSON (numbers, true, false). Throws `AskError`.
 */
export function submitted({ body }: HttpRequest, contentType: string | undefined, typed: readonly string[]): Submitted {
  if (!/^multipart\/form-data\b/i.test(contentType ?? '')) return { fields: new Fields(body), files: [] }
  const { values, files } = parseForm(body, contentType!)
  const entries = Object.entries(values).map(([name, text]) => [name, typed.includes(name) ? typedValue(text) : text])
  return { fields: new Fields(Object.fromEntries(entries) as Record<string, unknown>), files }
}

function typedValue(text: string): unknown {
  return /^(true|false|-?\d+(\.\d+)?)$/.test(text) ? JSON.parse(text) : text
}
