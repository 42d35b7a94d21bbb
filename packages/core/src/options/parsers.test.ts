import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixtureIndex } from '../../test/fixture-index.js'
import { parseArguments } from './arguments.js'
import { secondsOf } from './durations.js'
import { check, withDefaults, type JsonSchema } from './json-schema.js'
import { redactCommand } from './redact.js'
import { buildTable } from './table.js'
import { readText } from './text-values.js'

const table = buildTable(fixtureIndex)

describe('texts as values', () => {
  test('numbers are read back as they were written', () => {
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => void expect(readText({ type: 'number' }, String(n))).toEqual({ value: Number(String(n)) })))
    fc.assert(fc.property(fc.maxSafeInteger(), (n) => void expect(readText({ type: 'integer' }, String(n))).toEqual({ value: n })))
  })

  test.each(['', ' ', 'five', '1x', '0x10', '1,2', '--5', 'NaN', 'Infinity', '1e', '.'])('%j is no number', (text) => {
    expect(readText({ type: 'number' }, text)).toHaveProperty('message')
  })

  test.each([['90', 90], ['1.5', 1.5], ['5m', 300], ['1h30m', 5400], ['250ms', 0.25], ['2 min', 120], ['1d', 86400]])('%j is %d seconds', (text, seconds) => expect(secondsOf(text)).toBe(seconds))
  test.each(['', 'm', '5x', '5m3', 'h5', '-5s', '1h-2m'])('%j is no duration', (text) => expect(secondsOf(text)).toBeUndefined())

  test('choices count in any case, with - and _ alike', () => {
    const schema: JsonSchema = { type: 'string', enum: ['sticky-user-sessions', 'round_robin'] }
    expect(readText(schema, 'STICKY_user-Sessions')).toEqual({ value: 'sticky-user-sessions' })
    expect(readText(schema, 'round-robin')).toEqual({ value: 'round_robin' })
  })

  test('any JSON object of headers or pairs is read as it is', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => void expect(readText({ text: 'pairs' }, JSON.stringify(object))).toEqual({ value: JSON.parse(JSON.stringify(object)) })))
  })
})

describe('command lines', () => {
  const word = fc.oneof(fc.constantFrom('--model', '--concurrency', '--url', '--api-key', '--streaming', '--header', '--nope', '-m', '-H', '--config', '5', 'x:y'), fc.string())

  test('of any words are read without a fault of the program', () => {
    fc.assert(fc.property(fc.array(word, { maxLength: 8 }), (argv) => void parseArguments(argv, table)))
  })

  test('with a flag that nobody knows are never accepted', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^--zz[a-z]{1,8}$/), fc.array(fc.constantFrom('--streaming', '--model=m', '--concurrency=2'), { maxLength: 2 }), (flag, rest) => {
        const { problems } = parseArguments([...new Set(rest), flag], table)
        expect(problems.some((problem) => problem.message.includes(flag))).toBe(true)
      }),
    )
  })

  test('keep the value of a secret out of what is shown', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^s[A-Za-z0-9]{8,20}$/), fc.boolean(), (secret, attached) => {
        const argv = ['--model', 'm', ...(attached ? [`--api-key=${secret}`] : ['--api-key', secret]), '--header', `Authorization: ${secret}`, '--url', `http://u:${secret}@h`]
        expect(redactCommand(argv, table)).not.toContain(secret)
        expect(redactCommand(argv, table)).toContain('--model m')
      }),
    )
  })
})

describe('schemas', () => {
  const schema: JsonSchema = {
    type: 'object', additionalProperties: false, required: ['a', 'group'],
    properties: {
      a: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      b: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'string', const: 'inf' }] },
      group: { type: 'object', properties: { c: { type: 'boolean', default: true } }, additionalProperties: false, required: [] },
      rare: { type: 'object', properties: { d: { type: 'string', default: 'x' } } },
    },
  }

  test('fill in defaults where a group must be there, and leave optional groups out', () => {
    expect(withDefaults(schema, {})).toEqual({ a: 3, group: { c: true } })
    expect(withDefaults(schema, { rare: {} })).toEqual({ a: 3, group: { c: true }, rare: { d: 'x' } })
  })

  test('what defaults make is always valid', () => {
    fc.assert(fc.property(fc.record({ a: fc.integer({ min: 1, max: 9 }), b: fc.oneof(fc.constant('inf'), fc.nat()) }, { requiredKeys: [] }), (value) => void expect(check(schema, withDefaults(schema, value))).toEqual([])))
  })

  test('list every fault with its place', () => {
    const found = check(schema, { a: 10, b: -1, group: { c: 'no' }, zzz: 1 })
    expect(found.map((issue) => issue.path.join('.'))).toEqual(['a', 'b', 'group.c', 'zzz'])
    expect(found[0]!.message).toBe('must be a whole number of at least 1 and at most 9')
    expect(found[1]!.message).toBe('must be a number of at least 0 or "inf"')
  })
})
