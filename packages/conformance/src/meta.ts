import type { Json, Kind } from '@aiperf/core'
import { shown } from './checks.js'

export type Expected = 'string' | 'boolean' | 'strings' | 'text' | 'number?' | readonly string[]

/** What the manifest entry of each kind must say, besides its description. `text` may be empty. */
export const META: Partial<Record<Kind, Readonly<Record<string, Expected>>>> = {
  endpoint: { path: 'text', streams: 'boolean', producesTokens: 'boolean', tokenizesInput: 'boolean', media: 'strings', metricsTitle: 'string' },
  transport: { schemes: 'strings' },
  dataset_loader: { source: ['file', 'generated', 'public'] },
  exporter: { target: ['file', 'console'] },
  telemetry_source: { title: 'string' },
  plot: { title: 'string', scope: ['run', 'runs', 'any'] },
}

export function metaFault(value: Json | undefined, expected: Expected): string | undefined {
  if (Array.isArray(expected)) return typeof value === 'string' && expected.includes(value) ? undefined : `is ${shown(value)}, expected one of ${expected.join(', ')}`
  switch (expected) {
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : `is ${shown(value)}, expected a list of texts`
    case 'text':
      return typeof value === 'string' ? undefined : `is ${shown(value)}, expected a text`
    case 'string':
      return typeof value === 'string' && value !== '' ? undefined : `is ${shown(value)}, expected a text that is not empty`
    default:
      return typeof value === 'boolean' ? undefined : `is ${shown(value)}, expected true or false`
  }
}
