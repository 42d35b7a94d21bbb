import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Session } from '@aiperf/core'
import { loadDataset, textOf, tokenizer, type Setting } from '../test/loadDataset.js'
import synthetic from './synthetic.js'

const make = async (options: Setting['options'], entries = 4, setting: Setting = {}): Promise<Session[]> =>
  (await loadDataset(synthetic, undefined, { ...setting, options: options ?? {}, entries })).sessions
const count = (text: string) => tokenizer().count(text)

describe('synthetic prompts', () => {
  it('have exactly the length asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3000 }), fc.nat(), async (mean, seed) => {
        const sessions = await make({ prompts: { isl: { mean } } }, 3, { seed })
        expect(sessions.map((session) => count(textOf(session)))).toEqual([mean, mean, mean])
        expect(sessions.map((session) => session.turns[0]!.inputTokens)).toEqual([mean, mean, mean])
      }),
      { numRuns: 60 },
    )
  })

  it('are 550 tokens long when nothing is said, with no limit of the output', async () => {
    const [session] = await make({}, 1)
    expect(count(textOf(session!))).toBe(550)
    expect(session!.turns[0]!.maxTokens).toBeUndefined()
  })

  it('are the same for the same seed, and all different for another', async () => {
    const [first, again, other] = [await make({}, 20, { seed: 1 }), await make({}, 20, { seed: 1 }), await make({}, 20, { seed: 2 })]
    expect(again).toEqual(first)
    const texts = [...first, ...other].map((session) => textOf(session))
    expect(new Set(texts).size).toBe(40)
  })

  it('do not depend on how many there are', async () => {
    const options = { prompts: { isl: { mean: 40, stddev: 10 }, osl: { mean: 9, stddev: 3 } }, turns: { mean: 3, stddev: 1 }, turnDelay: { mean: 50, stddev: 10 } }
    const few = await make(options, 5)
    const many = await make(options, 50)
    expect(many.slice(0, 5)).toEqual(few)
  })

  it('keep their text when an unrelated option is added', async () => {
    const plain = await make({ prompts: { isl: { mean: 30 } } })
    const limited = await make({ prompts: { isl: { mean: 30 }, osl: { mean: 20, stddev: 5 } } })
    expect(limited.map((session) => textOf(session))).toEqual(plain.map((session) => textOf(session)))
  })

  it('follow the normal law of --isl and --osl', async () => {
    const sessions = await make({ prompts: { isl: { mean: 100, stddev: 20 }, osl: { mean: 50, stddev: 5 } } }, 400)
    const lengths = sessions.map((session) => session.turns[0]!.inputTokens!)
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
    const deviation = Math.sqrt(lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / lengths.length)
    expect(Math.abs(mean - 100.5)).toBeLessThan(5)
    expect(Math.abs(deviation - 20)).toBeLessThan(3)
    expect(sessions.map((session) => count(textOf(session)))).toEqual(lengths)
    expect(sessions.every((session) => Number.isInteger(session.turns[0]!.maxTokens))).toBe(true)
  })

  it('take input and output length together from pairs', async () => {
    const sessions = await make({ prompts: { sequenceDistribution: '20,5:25;40,8:75' } }, 400)
    const pairs = sessions.map((session) => `${session.turns[0]!.inputTokens},${session.turns[0]!.maxTokens}`)
    expect(new Set(pairs)).toEqual(new Set(['20,5', '40,8']))
    expect(pairs.filter((pair) => pair === '20,5').length).toBeGreaterThan(60)
    expect(pairs.filter((pair) => pair === '20,5').length).toBeLessThan(140)
  })

  it('stay in the window of a range ratio', async () => {
    const prompts = { isl: { mean: 20 }, osl: { mean: 10 }, randomRangeRatio: 0.5 }
    const turns = (await make({ prompts }, 300)).map((session) => session.turns[0]!)
    expect([Math.min(...turns.map((turn) => turn.inputTokens!)), Math.max(...turns.map((turn) => turn.inputTokens!))]).toEqual([10, 30])
    expect([Math.min(...turns.map((turn) => turn.maxTokens!)), Math.max(...turns.map((turn) => turn.maxTokens!))]).toEqual([5, 15])
    const below = (await make({ prompts: { ...prompts, randomCorpusStyle: 'sglang' } }, 300)).map((session) => session.turns[0]!.inputTokens!)
    expect([Math.min(...below), Math.max(...below)]).toEqual([10, 20])
  })
})

describe('shared and leading texts', () => {
  it('put a prefix of the pool before the first turn alone, with the lengths added', async () => {
    const sessions = await make({ prompts: { isl: { mean: 20 } }, prefixPrompts: { poolSize: 3, length: 30 }, turns: { mean: 2 } }, 40)
    const heads = sessions.map((session) => tokenizer().encode(textOf(session)).slice(0, 30).join())
    expect(new Set(heads).size).toBe(3)
    expect(sessions.every((session) => count(textOf(session)) === 50 && count(textOf(session, 1)) === 20)).toBe(true)
  })

  it('give all conversations one system message, and each its own context', async () => {
    const sessions = await make({ prefixPrompts: { sharedSystemLength: 25, userContextLength: 35 } }, 6)
    expect(new Set(sessions.map((session) => session.system)).size).toBe(1)
    expect(count(sessions[0]!.system!)).toBe(25)
    expect(new Set(sessions.map((session) => session.userContext)).size).toBe(6)
    expect(sessions.every((session) => count(session.userContext!) === 35)).toBe(true)
  })
})

describe('turns, batches and rankings', () => {
  it('have as many turns as asked for, with think time before all but the first', async () => {
    const sessions = await make({ turns: { mean: 3 }, turnDelay: { mean: 100 }, turnDelayRatio: 0.5, prompts: { isl: { mean: 5 } } })
    for (const { turns } of sessions) expect(turns.map((turn) => turn.delayMs)).toEqual([undefined, 50, 50])
    expect(new Set(sessions.map((session) => session.id)).size).toBe(4)
  })

  it('have several texts in a batch', async () => {
    const [session] = await make({ prompts: { batchSize: 3, isl: { mean: 12 } } }, 1)
    const { contents } = session!.turns[0]!.texts![0]!
    expect(contents.map(count)).toEqual([12, 12, 12])
    expect(new Set(contents).size).toBe(3)
    expect(session!.turns[0]!.inputTokens).toBe(36)
  })

  it('are a query and passages for ranking endpoints', async () => {
    const [session] = await make({ rankings: { passages: { mean: 4 }, passageTokens: { mean: 9 }, queryTokens: { mean: 6 } } }, 1, { endpoint: { type: 'nim_rankings' } })
    const [query, passages] = session!.turns[0]!.texts!
    expect([query!.name, passages!.name]).toEqual(['query', 'passages'])
    expect(query!.contents.map(count)).toEqual([6])
    expect(passages!.contents.map(count)).toEqual([9, 9, 9, 9])
  })

  it('have no text, and need no tokenizer, where the endpoint takes none', async () => {
    const endpoint = { type: 'audio_transcription', media: ['audio'], takesText: false }
    const none = new Proxy({} as NonNullable<Setting['tokenizer']>, {
      get() {
        throw new Error('the tokenizer was asked for')
      },
    })
    const [session] = await make({ audio: { length: { mean: 1 } } }, 1, { endpoint, tokenizer: none })
    expect(session!.turns[0]).toMatchObject({ audios: [{ contents: [expect.any(String)] }] })
    expect(session!.turns[0]).not.toHaveProperty('texts')
    expect(session!.turns[0]).not.toHaveProperty('inputTokens')
    await expect(make({}, 1, { endpoint })).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('audio_transcription takes audio and no text') })
  })
})

describe('contradictions', () => {
  it.each([
    [{ prompts: { sequenceDistribution: '128,64:40;512,128:50' } }, ['100', '90']],
    [{ prompts: { sequenceDistribution: '128:100' } }, ['--seq-dist', '128:100']],
    [{ prompts: { sequenceDistribution: '1,1:100', randomRangeRatio: 0.1, isl: { mean: 5 }, osl: { mean: 5 } } }, ['--random-range-ratio', '--seq-dist']],
    [{ prompts: { randomRangeRatio: 0.1 } }, ['--isl', '--osl']],
    [{ prompts: { randomRangeRatio: 1, isl: { mean: 5 }, osl: { mean: 5 } } }, ['--random-range-ratio', 'below 1']],
    [{ prefixPrompts: { poolSize: 1, length: 5, sharedSystemLength: 5 } }, ['--shared-system-prompt-length']],
    [{ prefixPrompts: { poolSize: 4 } }, ['--num-prefix-prompts', '--prompt-prefix-length']],
    [{ prefixPrompts: { length: 4 } }, ['--num-prefix-prompts', '--prompt-prefix-length']],
    [{ prompts: { osl: { mean: 0 } } }, ['--osl', 'at least 1']],
    [{ turns: { mean: 0 } }, ['--conversation-turn-mean', '1']],
    [{ prompts: { isl: { mean: 5, median: 9 } } }, ['--isl', 'median']],
  ] as [Setting['options'], string[]][])('%j is refused', async (options, words) => {
    const error = await make(options).then(() => undefined, (caught: Error & { exitCode: number }) => caught)
    expect(error?.exitCode).toBe(2)
    for (const word of words) expect(error?.message).toContain(word)
  })
})
