import type { Kind } from '@aiperf/core'
import { checkValue, withDefaults, type JsonSchema } from '@aiperf/core/options'
import type { CommonCase } from '../cases.js'
import { ensure, group, shown, within, type Group } from '../checks.js'
import { neutralContext } from '../contexts.js'
import { dispose } from '../dispose.js'
import { leftovers } from '../leftovers.js'
import { META, metaFault, type Expected } from '../meta.js'
import type { Subject } from '../subject.js'

const CREATE_MS = 20_000

/** What every contribution keeps, whatever its kind. */
export function contributionSuite<K extends Kind>(subject: Subject<K>, given: CommonCase): Group[] {
  const { kind, name, declared, meta } = subject
  return [
    group('manifest', {
      'says what it is, and what it can do': () => {
        const description = meta['description']
        ensure(typeof description === 'string' && description.length >= 10, `meta.description is ${shown(description)}: one sentence that tells a user what it is for`)
        for (const [key, expected] of Object.entries<Expected>(META[kind] ?? {})) {
          const fault = metaFault(meta[key], expected)
          ensure(!fault, `meta.${key} ${fault}`)
        }
      },
      'options are described, and their defaults are legal': () => {
        if (!declared.options) return
        for (const { path, schema } of optionsOf(declared.options, '')) {
          ensure(schema.description, `the option ${path} has no description: it is all that --help can show`)
          ensure(schema.flag === undefined || /^--[a-z0-9][a-z0-9-]*$/.test(schema.flag), `the option ${path} has the flag ${shown(schema.flag)}: flags are --words-like-this`)
          if (schema.default !== undefined) {
            const issues = checkValue(schema, withDefaults(schema, schema.default))
            ensure(issues.length === 0, `the default of ${path} ${issues[0]?.message}`)
          }
        }
      },
    }),
    group('life', {
      'importing it does nothing': async () => {
        const left = await leftovers(async () => void (await within(CREATE_MS, `importing ${declared.entry}`, subject.host.load(kind, name))))
        ensure(left.length === 0, `importing ${declared.entry} leaves ${left.join(', ')}: do in create, or later, what needs doing`)
      },
      'creating it and ending it leaves nothing behind': async () => {
        const left = await leftovers(async () => {
          const thing = await subject.create(neutralContext(subject, given))
          await within(CREATE_MS, 'ending it', dispose(kind, thing))
        })
        ensure(left.length === 0, `${left.join(', ')} still there after it was ended`)
      },
    }),
  ]
}

function* optionsOf(schema: JsonSchema, prefix: string): Generator<{ path: string; schema: JsonSchema }> {
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.properties && property.flag === undefined) yield* optionsOf(property, `${prefix}${key}.`)
    else yield { path: `${prefix}${key}`, schema: property }
  }
}
