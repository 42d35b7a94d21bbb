import { ConfigurationError, defineDatasetLoader, type OptionsSchema, type Turn } from '@aiperf/core'
import { drawOf, tokensOf, type Distribution } from './distributions/distribution.js'
import { checkSettings, type SyntheticSettings } from './synthetic/settings.js'
import { turnMaker } from './synthetic/turnMaker.js'

export { checkSettings as check }

const isSingleTurn = (turns: Distribution | undefined): boolean => turns === undefined || Object.entries(turns).every(([key, value]) => (key === 'mean' ? value === 1 : key === 'stddev' && value === 0))

/** Id of the conversation at `index` of a generated dataset. */
const sessionId = (index: number): string => `session_${String(index).padStart(6, '0')}`

/** Generated conversations. Conversation i depends on the seed and on i alone. */
export default defineDatasetLoader<OptionsSchema<SyntheticSettings>>({
  create(context) {
    const problems = checkSettings(context.options)
    if (problems.length > 0) throw new ConfigurationError(problems)
    const { turnDelay, turnDelayRatio = 1 } = context.options
    const countOf = tokensOf(context.options.turns, 1)
    const delayOf = drawOf(turnDelay, 0)
    const hasDelays = turnDelay !== undefined && turnDelay.mean !== 0
    return {
      async *load(_, report) {
        if (hasDelays && isSingleTurn(context.options.turns)) report.warn('--conversation-turn-delay-mean has no effect: conversations have one turn (--conversation-turn-mean)')
        const maker = await turnMaker(context)
        const root = context.random('dataset.synthetic')
        let made = 0
        for (let index = 0; index < context.entries; index++) {
          const random = root.fork(index)
          const turns: Turn[] = []
          const count = countOf(random.fork('turns'))
          for (let at = 0; at < count; at++) {
            const turn = await maker.turn(random.fork(at), at, made++)
            if (at > 0 && hasDelays) turn.delayMs = Math.max(1, Math.round(delayOf(random.fork(`delay ${at}`)))) * turnDelayRatio
            turns.push(turn)
          }
          yield { id: sessionId(index), turns, ...maker.session(index) }
        }
      },
    }
  },
})
