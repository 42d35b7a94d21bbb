import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { words, wordsFrom } from './words.js'

test('each word is one token, and so many of them are so many tokens', () => {
  expect(new Set(words).size).toBe(words.length)
  for (const encode of [encodeO200k, encodeCl100k]) {
    for (const word of words) expect(encode(word), word).toHaveLength(1)
    for (const count of [1, 7, words.length, 3 * words.length + 5]) expect(encode(wordsFrom(250, count))).toHaveLength(count)
  }
})

test('pieces of the text put together are the text', () => {
  const pieces = Array.from({ length: 600 }, (_, at) => wordsFrom(100 + at, 1))
  expect(wordsFrom(100, 600)).toBe(pieces.join(''))
})
