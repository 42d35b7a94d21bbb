import { ConfigurationError, type DatasetContext, type Random, type Session, type Turn } from '@aiperf/core'
import { openCorpus } from '../text/corpus.js'
import { chatOverhead } from './chatOverhead.js'
import { madeWhenRead } from '../text/madeWhenRead.js'
import { turnLengths } from './lengths.js'
import { mediaContents } from './mediaContents.js'
import { prefixesOf } from './prefixes.js'
import { rankingTurns } from './rankings.js'
import type { PrefixSettings, SyntheticSettings } from './settings.js'

export interface TurnMaker {
  /** Turn `at` of a conversation; `turnIndex` counts the turns of the whole dataset. */
  turn(random: Random, at: number, turnIndex: number): Promise<Turn>
  /** What a conversation has besides its turns. */
  session(index: number): Pick<Session, 'system' | 'userContext'>
}

type AddText = (turn: Turn, random: Random, at: number) => void

/** What asks for each kind of media. */
const MEDIA_FLAGS: Readonly<Record<string, string>> = { image: '--image-width-mean', audio: '--audio-length-mean', video: '--video-width' }

/** Makes the turns that the options describe. @throws ConfigurationError when they describe empty requests. */
export async function turnMaker(context: DatasetContext<SyntheticSettings>): Promise<TurnMaker> {
  const { prompts = {}, rankings } = context.options
  if (rankings || context.endpoint.type.includes('rankings')) {
    const make = rankingTurns(rankings ?? {}, await openCorpus(prompts, await context.tokenizer()))
    return { turn: async (random) => make(random), session: () => ({}) }
  }
  const addMedia = await mediaContents(context)
  const { type, media, takesText = true } = context.endpoint
  // An input length of 0 turns text off.
  const text = !takesText || prompts.isl?.mean === 0 && !prompts.isl.stddev && prompts.sequenceDistribution === undefined ? undefined : await textContents(context)
  if (!takesText && !addMedia)
    throw new ConfigurationError([{ flags: media.map((medium) => MEDIA_FLAGS[medium] ?? medium), message: `The endpoint type ${type} takes ${media.join(' or ')} and no text, and none was asked for: requests would be empty`, hint: `give ${media.map((medium) => MEDIA_FLAGS[medium] ?? medium).join(' or ')}, or a dataset file with --input-file` }])
  if (!text && !addMedia)
    throw new ConfigurationError([{ flags: ['--isl'], message: '--isl 0 turns text off, and no images, audio or video are asked for: requests would be empty', hint: 'give --isl, or --image-width-mean, --audio-length-mean or --video-width and --video-height' }])
  return {
    async turn(random, at, turnIndex) {
      const turn: Turn = {}
      text?.add(turn, random, at)
      await addMedia?.(turn, random, turnIndex)
      return turn
    },
    session: text?.session ?? (() => ({})),
  }
}

async function textContents(context: DatasetContext<SyntheticSettings>): Promise<{ add: AddText; session: TurnMaker['session'] }> {
  const { prompts = {}, prefixPrompts = {} } = context.options
  const lengths = turnLengths(prompts)
  const tokenizer = await context.tokenizer()
  const corpus = await openCorpus(prompts, tokenizer)
  const prefixes = prefixesOf(await withoutMarker(context), corpus, context.random('dataset.prefixes'))
  const { batchSize = 1 } = prompts
  const overhead = chatOverhead(tokenizer)
  const reserved = await context.reserved?.()
  // A marker meant for the system message goes into the first turn where there is none.
  const marker = !reserved || (reserved.where === 'system' && prefixPrompts.sharedSystemLength) ? 0 : reserved.tokens
  return {
    add(turn, random, at) {
      const { isl: asked, osl } = lengths(random)
      // What the server's chat template adds is part of the input length that was asked for.
      const isl = Math.max(1, asked - overhead.message - (at === 0 ? overhead.once + marker : 0))
      const pooled = at === 0 ? prefixes.pooled : undefined
      const tokens = isl + (pooled ? prefixes.pooledTokens : 0)
      turn.inputTokens = batchSize * tokens
      madeWhenRead(turn, () =>
        Array.from({ length: batchSize }, (_, batch) => {
          const text = corpus.text(random.fork(`text ${batch}`), isl)
          return pooled ? corpus.join([pooled(random.fork(`prefix ${batch}`)), text], tokens) : text
        }),
      )
      if (osl !== undefined) turn.maxTokens = osl
    },
    session: (index) => ({
      ...(prefixes.system ? { system: prefixes.system() } : {}),
      ...(prefixes.userContext ? { userContext: prefixes.userContext(index) } : {}),
    }),
  }
}

/** The system message is shorter by the marker that it will carry. */
async function withoutMarker({ options: { prefixPrompts = {} }, reserved }: DatasetContext<SyntheticSettings>): Promise<PrefixSettings> {
  const { sharedSystemLength } = prefixPrompts
  const marker = await reserved?.()
  return sharedSystemLength && marker?.where === 'system' ? { ...prefixPrompts, sharedSystemLength: Math.max(1, sharedSystemLength - marker.tokens) } : prefixPrompts
}
