import type { Random } from '@aiperf/core'
import { tokensOf } from '../distributions/distribution.js'
import { parseRangeRatio, rangeDraw } from '../distributions/rangeRatio.js'
import { drawPairs, parseSequencePairs } from '../distributions/sequencePairs.js'
import type { SyntheticSettings } from './settings.js'

export const DEFAULT_INPUT_TOKENS = 550

/** Lengths of one turn, tokens; without `osl` no limit is asked for. */
export interface TurnLengths {
  isl: number
  osl?: number
}

/** Draws the lengths of a turn by the first of: pairs, range ratio, laws of ISL and OSL. */
export function turnLengths(prompts: NonNullable<SyntheticSettings['prompts']>): (random: Random) => TurnLengths {
  const { sequenceDistribution, randomRangeRatio, randomCorpusStyle: style = 'vllm', isl, osl } = prompts
  if (sequenceDistribution !== undefined) return drawPairs(parseSequencePairs(sequenceDistribution))
  if (randomRangeRatio !== undefined) {
    const ratio = parseRangeRatio(randomRangeRatio, style)
    const input = rangeDraw(isl?.mean ?? DEFAULT_INPUT_TOKENS, ratio.input, style)
    const output = rangeDraw(osl?.mean ?? 1, ratio.output, style)
    return (random) => ({ isl: input(random), osl: output(random) })
  }
  const input = tokensOf(isl, DEFAULT_INPUT_TOKENS)
  if (osl === undefined) return (random) => ({ isl: input(random.fork('isl')) })
  const output = tokensOf(osl, 1)
  return (random) => ({ isl: input(random.fork('isl')), osl: output(random.fork('osl')) })
}
