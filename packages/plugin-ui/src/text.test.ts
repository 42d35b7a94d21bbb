import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clean, cut, widthOf } from './text.js'

test('widths: wide characters take two columns, marks none', () => {
  expect(['abc', '日本', 'e\u0301', '🙂', '━▁⣀', ''].map(widthOf)).toEqual([3, 4, 1, 2, 3, 0])
})

test('a cut text is never wider than its room, and says that it was cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }).map(clean), fc.nat(30), (text, width) => {
      const shown = cut(text, width)
      expect(widthOf(shown)).toBeLessThanOrEqual(width)
      if (shown !== text && width > 0) expect(shown.endsWith('…')).toBe(true)
    }),
  )
})

test("a server's text cannot steer the terminal", () => {
  expect(clean('\x1b[2J\x1b]0;title\x07 a\tb\r\nc\u202ed\u0000')).toBe(' a b c d ')
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/\p{Cc}/u.test(clean(text))))
})
