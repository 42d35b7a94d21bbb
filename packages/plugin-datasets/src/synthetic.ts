import { ConfigurationError, defineDatasetLoader, type DatasetContext, type OptionsSchema, type Random, type Session, type Turn } from '@aiperf/core'
import { drawOf, tokensOf } from './distributions/distribution.js'
import { chatOverhead } from './synthetic/chatOverhead.js'
import { turnLengths } from './synthetic/lengths.js'
import { prefixesOf } from './synthetic/prefixes.js'
import { rankingTurns } from './synthetic/rankings.js'
import { checkSettings, type SyntheticSettings } from './synthetic/settings.js'
import { openCorpus } from './text/corpus.js'

export { checkSettings as check }

/** Id of the conversation at `index` of a generated dataset. */
const sessionId = (index: number): string => `session_${String(index).padStart(6, '0')}`

/** Generated conversations. Conversation i depends on the seed and on i alone. */
export default defineDatasetLoader<OptionsSchema<SyntheticSettings>>({
  create(context) {
    const problems = checkSettings(context.options)
    if (problems.length > 0) throw new ConfigurationError(problems)
    const { turnDelay, turnDelayRatio = 1, prompts = {} } = context.options
    const countOf = tokensOf(context.options.turns, 1)
    const delayOf = drawOf(turnDelay, 0)
    const lengths = turnLengths(prompts)
    return {
      async *load() {
        const turnOf = await turnMaker(context, lengths)
        const root = context.random('dataset.synthetic')
        for (let index = 0; index < context.entries; index++) {
          const random = root.fork(index)
          const turns: Turn[] = []
          const count = countOf(random.fork('turns'))
          for (let at = 0; at < count; at++) {
            const turn = turnOf.turn(random.fork(at), at)
            if (at > 0 && turnDelay) {
              const delay = Math.max(1, Math.round(delayOf(random.fork(`delay ${at}`)))) * turnDelayRatio
              if ((turnDelay.mean ?? 1) > 0) turn.delayMs = delay
            }
            turns.push(turn)
          }
          yield { id: sessionId(index), turns, ...turnOf.session(index) }
        }
      },
    }
  },
})

interface TurnMaker {
  turn(random: Random, at: number): Turn
  session(index: number): Pick<Session, 'system' | 'userContext'>
}

async function turnMaker(context: DatasetContext<SyntheticSettings>, lengths: ReturnType<typeof turnLengths>): Promise<TurnMaker> {
  const { prompts = {}, prefixPrompts = {}, rankings } = context.options
  const tokenizer = await context.tokenizer()
  const corpus = await openCorpus(prompts, tokenizer)
  if (rankings || context.endpoint.type.includes('rankings')) {
    const make = rankingTurns(rankings ?? {}, corpus)
    return { turn: make, session: () => ({}) }
  }
  const prefixes = prefixesOf(prefixPrompts, corpus, context.random('dataset.prefixes'))
  const { batchSize = 1 } = prompts
  const overhead = chatOverhead(tokenizer)
  return {
    turn(random, at) {
      const { isl: asked, osl } = lengths(random)
      // What the server's chat template adds is part of the input length that was asked for.
      const isl = Math.max(1, asked - overhead.message - (at === 0 ? overhead.once : 0))
      const contents: string[] = []
      let inputTokens = 0
      for (let batch = 0; batch < batchSize; batch++) {
        const text = corpus.text(random.fork(`text ${batch}`), isl)
        const prefix = at === 0 ? prefixes.pooled?.(random.fork(`prefix ${batch}`)) : undefined
        const tokens = isl + (prefix?.tokens ?? 0)
        contents.push(prefix ? corpus.join([prefix.text, text], tokens) : text)
        inputTokens += tokens
      }
      return { texts: [{ contents }], inputTokens, ...(osl === undefined ? {} : { maxTokens: osl }) }
    },
    session(index) {
      return {
        ...(prefixes.system ? { system: prefixes.system() } : {}),
        ...(prefixes.userContext ? { userContext: prefixes.userContext(index) } : {}),
      }
    },
  }
}
