import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Tokenizer as Library } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteLevelTokenizer } from './byteLevelTokenizer.js'
import { loadHuggingfaceTokenizer, tokenizerFilesAt } from './huggingfaceTokenizer.js'

const FOLDER = join(import.meta.dirname, '../../test/tokenizers')
const load = (path: string) => loadHuggingfaceTokenizer('x', tokenizerFilesAt(path)!)
const json = (kind: string) => JSON.parse(readFileSync(join(FOLDER, kind, 'tokenizer.json'), 'utf8')) as Record<string, Record<string, unknown>>
/** A tokenizer.json of this content. */
function folderOf(content: unknown, space?: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-tokenizer-'))
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(content, undefined, space))
  return folder
}

describe.each(['bytelevel', 'gpt2-like', 'qwen-like'])('a %s model', (kind) => {
  it('in flat arrays agrees with the library on any text', async () => {
    const lean = await load(join(FOLDER, kind))
    expect(lean).toBeInstanceOf(ByteLevelTokenizer)
    const library = new Library(json(kind), {})
    const special = json(kind)['added_tokens'] as unknown as { content: string }[]
    const part = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ maxLength: 30 }), fc.constantFrom(...special.map((token) => token.content), ' the', '\n\n', "'s", '1234'))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')), (text) => {
        const ids = text === '' ? [] : library.encode(text, { add_special_tokens: false }).ids
        expect(lean.encode(text)).toEqual(ids)
        expect(lean.count(text)).toBe(ids.length)
        expect(lean.decode(ids)).toBe(kind === 'qwen-like' ? text.split(/(<\|user\|>|<\|end\|>)/).map((piece) => piece.normalize('NFC')).join('') : text)
      }),
      { numRuns: 300 },
    )
  })
})

describe('files of byte-level models', () => {
  const ids = async (path: string) => (await load(path)).encode('Some words, and 123 <|user|> more.')

  it('may be written in any order, with white space, and with merges as lists', async () => {
    const whole = json('bytelevel')
    const expected = await ids(join(FOLDER, 'bytelevel'))
    const { model: own, ...others } = whole
    const { merges, vocab, ...rest } = own as { merges: unknown[]; vocab: object }
    const lists = merges.map((merge) => (typeof merge === 'string' ? merge.split(' ') : merge))
    const texts = merges.map((merge) => (typeof merge === 'string' ? merge : (merge as string[]).join(' ')))
    for (const model of [{ merges: lists, vocab, ...rest }, { ...rest, vocab, merges: texts }]) for (const space of [0, 2]) expect(await ids(folderOf({ model, ...others }, space))).toEqual(expected)
  })

  it('that ask for more are left to the library', async () => {
    const whole = json('bytelevel')
    for (const change of [{ normalizer: { type: 'Lowercase' } }, { model: { ...whole['model'], end_of_word_suffix: '</w>' } }, { added_tokens: [{ id: 0, content: '<|begin|>', lstrip: true, special: true }] }])
      expect(await load(folderOf({ ...whole, ...change }))).not.toBeInstanceOf(ByteLevelTokenizer)
    expect(await load(join(FOLDER, 'unigram'))).not.toBeInstanceOf(ByteLevelTokenizer)
  })

  it('that are none are refused with their name', async () => {
    await expect(load(folderOf({ nothing: 1 }))).rejects.toThrow('is no tokenizer.json')
    const broken = mkdtempSync(join(tmpdir(), 'aiperf-tokenizer-'))
    writeFileSync(join(broken, 'tokenizer.json'), '{"model": {"vocab"')
    await expect(load(broken)).rejects.toThrow('is not valid JSON')
  })
})
