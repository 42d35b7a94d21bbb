import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '@aiperf/core'
import { fileOf } from '../../test/loadDataset.js'
import huggingface from '../huggingface.js'
import { ENCODING_NAMES, loadEncoding } from '../tokenizers/encodings.js'
import { openCorpus, type CorpusName } from './corpus.js'
import { lexiconOf } from './lexicon.js'

const CORPORA: CorpusName[] = ['sonnet', 'coding', 'random']

describe.each(ENCODING_NAMES.filter((name) => !['o200k_harmony', 'p50k_edit'].includes(name)))('%s', (encoding) => {
  const tokenizer = loadEncoding(encoding)!

  it.each(CORPORA)('%s: texts are exact, prefixes of each other, and add up when joined', async (corpus) => {
    const source = await openCorpus({ corpus }, tokenizer)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 400 }), fc.nat(), (length, other, seed) => {
        const root = createRandom(seed, 'x')
        const first = source.text(root.fork(1), length)
        expect(tokenizer.count(first)).toBe(length)
        expect(source.text(root.fork(1), length + other).startsWith(first)).toBe(true)
        const second = source.text(root.fork(2), other)
        expect(tokenizer.count(source.join([first, second, first], 2 * length + other))).toBe(2 * length + other)
      }),
      { numRuns: 60 },
    )
  })

  it('coding has lines and indentation', async () => {
    const source = await openCorpus({ corpus: 'coding' }, tokenizer)
    const text = source.text(createRandom(1, 'x'), 500)
    if (encoding.startsWith('o200k') || encoding.startsWith('cl100k')) expect(text.split('\n').filter((line) => line.startsWith('    ')).length).toBeGreaterThan(5)
    expect(text).toMatch(/ = /)
  })

  it('a file gives its own words', async () => {
    const corpusFile = fileOf('corpus.txt', 'Zwölf Boxkämpfer jagen Viktor quer\nüber den großen Sylter Deich, und 漢字 auch. '.repeat(3))
    const source = await openCorpus({ corpusFile }, tokenizer)
    for (let length = 1; length < 120; length++) expect(tokenizer.count(source.text(createRandom(length, 'x'), length))).toBe(length)
    expect(source.text(createRandom(1, 'x'), 100)).toContain('Viktor')
  })
})

it('a corpus file that cannot be read is named', async () => {
  await expect(openCorpus({ corpusFile: '/nowhere/corpus.txt' }, loadEncoding('r50k_base')!)).rejects.toThrow('/nowhere/corpus.txt')
})

describe.each(['bytelevel', 'gpt2-like', 'qwen-like', 'sentencepiece', 'unigram', 'wordpiece'])('a small vocabulary: %s', (folder) => {
  it('gives texts of exact length, of words of its own where it has no English ones', async () => {
    const small = await huggingface.create({ name: join(import.meta.dirname, '../../test/tokenizers', folder), options: {} } as never)
    expect(lexiconOf(small)?.words.length).toBeGreaterThan(100)
    const source = await openCorpus({}, small)
    for (let length = 1; length < 60; length++) expect(small.count(source.text(createRandom(length, 'x'), length))).toBe(length)
  })
})
