import type { ConfigurationError, Problem } from '@aiperf/core'
import { checkDistribution, type Distribution } from '../distributions/distribution.js'
import { parseRangeRatio } from '../distributions/rangeRatio.js'
import { parseSequencePairs } from '../distributions/sequencePairs.js'
import { checkAudio, type AudioSettings } from '../media/audio.js'
import { checkImages, type ImageSettings } from '../media/images.js'
import { checkVideo, type VideoSettings } from '../media/video.js'
import type { CorpusName } from '../text/corpus.js'

export interface PrefixSettings {
  poolSize?: number
  length?: number
  sharedSystemLength?: number
  userContextLength?: number
}

/** Options of the synthetic dataset, as `synthetic.options.ts` describes them. */
export interface SyntheticSettings {
  prompts?: {
    isl?: Distribution
    osl?: Distribution
    sequenceDistribution?: string | object
    randomRangeRatio?: number | string | { input: number; output: number }
    randomCorpusStyle?: 'vllm' | 'sglang'
    batchSize?: number
    corpus?: CorpusName
    corpusFile?: string
  }
  prefixPrompts?: PrefixSettings
  images?: ImageSettings
  audio?: AudioSettings
  video?: VideoSettings
  turns?: Distribution
  turnDelay?: Distribution
  turnDelayRatio?: number
  rankings?: { passages?: Distribution; passageTokens?: Distribution; queryTokens?: Distribution }
}

/** What contradicts itself between the options of a synthetic dataset. */
export function checkSettings(settings: SyntheticSettings): Problem[] {
  const { prompts = {}, prefixPrompts = {}, turns, turnDelay, rankings = {} } = settings
  const problems = [
    ...checkDistribution(prompts.isl, '--isl'),
    ...checkDistribution(prompts.osl, '--osl'),
    ...checkDistribution(turns, '--conversation-turn-mean'),
    ...checkDistribution(turnDelay, '--conversation-turn-delay-mean'),
    ...checkDistribution(rankings.passages, '--rankings-passages-mean'),
    ...checkDistribution(rankings.passageTokens, '--rankings-passages-prompt-token-mean'),
    ...checkDistribution(rankings.queryTokens, '--rankings-query-prompt-token-mean'),
    ...checkImages(settings.images),
    ...checkAudio(settings.audio),
    ...checkVideo(settings.video),
  ]
  if (turns?.mean !== undefined && turns.mean < 1)
    problems.push({ flags: ['--conversation-turn-mean'], message: `--conversation-turn-mean: expected at least 1 turn, got ${turns.mean}` })
  if (prompts.sequenceDistribution !== undefined) problems.push(...unreadable(() => parseSequencePairs(prompts.sequenceDistribution!)))
  if (prompts.randomRangeRatio !== undefined) {
    problems.push(...unreadable(() => parseRangeRatio(prompts.randomRangeRatio!, prompts.randomCorpusStyle ?? 'vllm')))
    const ratio = '--random-range-ratio'
    if (prompts.sequenceDistribution !== undefined)
      problems.push({ flags: [ratio, '--seq-dist'], message: `${ratio} and --seq-dist both say how lengths are drawn`, hint: 'give one of them' })
    for (const [flag, law] of [['--isl', prompts.isl], ['--osl', prompts.osl]] as const) {
      if (!((law?.mean ?? 0) >= 1)) problems.push({ flags: [ratio, flag], message: `${ratio} needs ${flag} of at least 1: the middle of its window` })
      if (law?.stddev) problems.push({ flags: [ratio, `${flag}-stddev`], message: `${ratio} and ${flag}-stddev both say how lengths are drawn`, hint: 'give one of them' })
    }
  }
  if (prompts.osl?.mean === 0 && !prompts.osl.stddev)
    problems.push({ flags: ['--osl'], message: '--osl: expected at least 1 token, got 0', hint: 'without --osl no limit is sent' })
  const { poolSize, length, sharedSystemLength, userContextLength } = prefixPrompts
  if ((poolSize && length === undefined) || (length && poolSize === undefined)) {
    const [given, needed] = poolSize ? ['--num-prefix-prompts', '--prompt-prefix-length'] : ['--prompt-prefix-length', '--num-prefix-prompts']
    problems.push({ flags: [given!, needed!], message: `${given} has no effect without ${needed}: a pool of prefixes has a size and a length`, hint: `give ${needed} too` })
  }
  if ((poolSize || length) && (sharedSystemLength || userContextLength))
    problems.push({
      flags: ['--num-prefix-prompts', '--prompt-prefix-length', '--shared-system-prompt-length', '--user-context-prompt-length'],
      message: 'A pool of prefixes cannot be combined with --shared-system-prompt-length or --user-context-prompt-length',
      hint: 'give one of the two kinds',
    })
  return problems
}

/** What keeps a value from being read. */
function unreadable(read: () => unknown): readonly Problem[] {
  try {
    read()
    return []
  } catch (error) {
    const { problems } = error as Partial<ConfigurationError>
    if (!problems) throw error
    return problems
  }
}
