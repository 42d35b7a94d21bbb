import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENCODING_NAMES, loadEncoding } from './encodings.js'

/** Ids recorded from tiktoken (Python), encode_ordinary. */
const fixture = JSON.parse(readFileSync(join(import.meta.dirname, '../../test/hard-strings.json'), 'utf8')) as {
  strings: string[]
  ids: Record<string, number[][]>
  n_vocab: Record<string, number>
}

describe.each(ENCODING_NAMES)('%s', (name) => {
  const tokenizer = loadEncoding(name)!

  it('gives the ids of the reference implementation for hard strings', () => {
    expect(tokenizer.vocabularySize).toBe(fixture.n_vocab[name])
    fixture.strings.forEach((text, at) => {
      const ids = fixture.ids[name]![at]!
      expect(tokenizer.encode(text), JSON.stringify(text)).toEqual(ids)
      expect(tokenizer.count(text)).toBe(ids.length)
      expect(tokenizer.decode(ids)).toBe(text)
    })
  })

  it('returns every well-formed text from its ids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const ids = tokenizer.encode(text)
        expect(tokenizer.decode(ids)).toBe(text)
        expect(tokenizer.count(text)).toBe(ids.length)
        expect(ids.some((id) => tokenizer.specialIds.has(id))).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})

describe('o200k_base', () => {
  const tokenizer = loadEncoding('o200k_base')!

  it('names the vocabulary by its published hash', () => {
    expect(tokenizer.hash).toBe('446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d')
  })

  it('merges long pieces to the same tokens as short ones', () => {
    // 96 bytes and less are merged by scanning, more by a heap.
    for (const unit of ['a', 'ab', 'the', 'xyzzy', 'Ω', '漢']) {
      const long = unit.repeat(400)
      const ids = tokenizer.encode(long)
      expect(tokenizer.decode(ids)).toBe(long)
      expect(tokenizer.count(long)).toBe(ids.length)
    }
    expect(tokenizer.encode('a'.repeat(96)).slice(0, 8)).toEqual(tokenizer.encode('a'.repeat(97)).slice(0, 8))
  })

  it('keeps special tokens when decoding, and takes their text as ordinary when encoding', () => {
    expect(tokenizer.decode([199999])).toBe('<|endoftext|>')
    expect(tokenizer.encode('<|endoftext|>')).not.toContain(199999)
    expect(tokenizer.specialIds.has(199999)).toBe(true)
    expect(() => tokenizer.decode([199998])).toThrow(/199998/)
  })

  it('replaces half a surrogate pair, which has no UTF-8 form', () => {
    expect(tokenizer.encode('a\ud800b')).toEqual(tokenizer.encode('a\ufffdb'))
  })
})
