import { readFileSync } from 'node:fs'
import type { JsonSchema } from './json-schema.js'

/** Core's own options as JSON Schema: `body` is the `benchmark` mapping, `phase` one of its phases. */
export interface CoreSchemas {
  body: JsonSchema
  phase: JsonSchema
  envelope: JsonSchema
}

let schemas: CoreSchemas | undefined

/** Made from the zod objects of `core.options.ts`, `phase.options.ts` and `envelope.options.ts` by the build. */
export function coreSchemas(): CoreSchemas {
  schemas ??= JSON.parse(readFileSync(new URL('../../generated/core-options.json', import.meta.url), 'utf8')) as CoreSchemas
  return schemas
}
