import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bigJson } from './big-json.js'

it('writes all digits of large integers, and leaves out what is no number', () => {
  expect(bigJson({ a: 1796036061854766081n, b: Number.NaN, c: [Infinity, 1], d: undefined })).toBe('{"a":1796036061854766081,"c":[null,1]}')
})
it('is JSON for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.bigInt(), (text, n) => {
    const json = bigJson({ text, n })
    expect(json.endsWith(`"n":${n}}`)).toBe(true)
    if (!/^\u0001-?\d+$/.test(text)) expect((JSON.parse(json) as { text: string }).text).toBe(text)
  }))
})
