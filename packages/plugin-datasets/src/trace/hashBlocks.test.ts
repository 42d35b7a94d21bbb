import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '@aiperf/core'
import { tokenizer } from '../../test/loadDataset.js'
import { proseCorpus } from '../text/proseCorpus.js'
import { HashBlocks } from './hashBlocks.js'

const BLOCK = 16
const corpus = proseCorpus(tokenizer())
const blocks = (seed = 1) => new HashBlocks(corpus, createRandom(seed, 'blocks'), BLOCK)

/** Ids of a prompt and its length, which the ids can stand for. */
const prompt = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: BLOCK }))
  .map(([ids, last]) => ({ ids, tokens: (ids.length - 1) * BLOCK + last }))

function sharedTokens(first: string, second: string): number {
  const [a, b] = [tokenizer().encode(first), tokenizer().encode(second)]
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return shared
}

describe('prompts from hash ids', () => {
  it('have exactly the length asked for, whatever the last block', () => {
    fc.assert(fc.property(prompt, ({ ids, tokens }) => {
      expect(tokenizer().count(blocks().prompt(ids, tokens, 'x'))).toBe(tokens)
    }))
  })

  it('share the tokens of equal leading ids, in full and partial blocks, and no more', () => {
    fc.assert(fc.property(prompt, prompt, (first, second) => {
      const made = blocks()
      const texts = [first, second].map(({ ids, tokens }) => made.prompt(ids, tokens, 'x')) as [string, string]
      let equal = 0
      while (equal < first.ids.length && first.ids[equal] === second.ids[equal]) equal++
      const least = Math.min(equal * BLOCK, first.tokens, second.tokens)
      const shared = sharedTokens(...texts)
      expect(shared).toBeGreaterThanOrEqual(least)
      // Different blocks may begin with the same word or two by chance, but not with half a block.
      expect(shared).toBeLessThan(least + BLOCK / 2)
    }))
  })

  it('make the same id the same text again after it was dropped from memory, and in another order', () => {
    const made = blocks()
    const early = made.prompt([3], BLOCK, 'x')
    for (let id = 10; id < 5000; id++) made.prompt([id], BLOCK, 'x')
    expect(made.prompt([3], BLOCK, 'y')).toBe(early)
    expect(blocks().prompt([7, 3], 2 * BLOCK, 'x').endsWith(early)).toBe(true)
  })

  it('differ with the seed', () => {
    expect(blocks(1).prompt([1, 2], 2 * BLOCK, 'x')).not.toBe(blocks(2).prompt([1, 2], 2 * BLOCK, 'x'))
  })

  it('have text of their own for tokens that no id stands for', () => {
    const made = blocks()
    const [first, second] = ['1', '2'].map((tail) => made.prompt([4], 3 * BLOCK, tail)) as [string, string]
    expect(tokenizer().count(first)).toBe(3 * BLOCK)
    expect(sharedTokens(first, second)).toBeLessThan(2 * BLOCK)
    expect(sharedTokens(first, second)).toBeGreaterThanOrEqual(BLOCK)
  })
})
