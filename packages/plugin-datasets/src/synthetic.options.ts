import { z } from 'zod'
import { batchSize } from './options/batch.options.js'
import { distribution } from './options/distribution.options.js'
import { audio, images, video } from './options/media.options.js'
import { corpus, prefixPrompts } from './options/text.options.js'

const ISL = 'Input Sequence Length (ISL)'
const OSL = 'Output Sequence Length (OSL)'
const TURNS = 'Conversation Input'
const RANKINGS = 'Rankings'

export default z.strictObject({
  prompts: z
    .strictObject({
      isl: distribution('Input length of a turn', 'tokens', {
        group: ISL,
        mean: { flag: '--prompt-input-tokens-mean', aliases: ['--synthetic-input-tokens-mean', '--isl'], comma: 'sweep', value: '<tokens>' },
        stddev: { flag: '--prompt-input-tokens-stddev', aliases: ['--synthetic-input-tokens-stddev', '--isl-stddev'], comma: 'sweep', value: '<tokens>' },
      }),
      osl: distribution('Output length asked for; without it no limit is sent', 'tokens', {
        group: OSL,
        mean: { flag: '--prompt-output-tokens-mean', aliases: ['--output-tokens-mean', '--osl'], comma: 'sweep', value: '<tokens>' },
        stddev: { flag: '--prompt-output-tokens-stddev', aliases: ['--output-tokens-stddev', '--osl-stddev'], comma: 'sweep', value: '<tokens>' },
      }),
      sequenceDistribution: z
        .union([z.string(), z.looseObject({})])
        .optional()
        .describe('Weighted pairs of input and output length, e.g. 128,64:40;512|50,128:60; percentages sum to 100')
        .meta({ flag: '--seq-dist', aliases: ['--sequence-distribution'], group: ISL, value: '<ISL,OSL:percent;…>' }),
      randomRangeRatio: z
        .union([z.number(), z.string(), z.strictObject({ input: z.number(), output: z.number() })])
        .optional()
        .describe('Draw lengths uniformly from a window around the means given by --isl and --osl')
        .meta({ flag: '--random-range-ratio', group: ISL, value: '<ratio>' }),
      randomCorpusStyle: z
        .enum(['vllm', 'sglang'])
        .optional()
        .describe('Which tool’s rules the range ratio and random tokens follow (default vllm)')
        .meta({ flag: '--random-corpus-style', group: ISL }),
      batchSize: batchSize.prompt,
      ...corpus,
    })
    .optional(),
  prefixPrompts,
  images,
  audio,
  video,
  turns: distribution('Turns of a conversation', 'turns', {
    group: TURNS,
    mean: { flag: '--conversation-turn-mean', aliases: ['--session-turns-mean'], comma: 'sweep' },
    stddev: { flag: '--conversation-turn-stddev', aliases: ['--session-turns-stddev'] },
  }),
  turnDelay: distribution('Think time before a later turn', 'ms', {
    group: TURNS,
    mean: { flag: '--conversation-turn-delay-mean', aliases: ['--session-turn-delay-mean'], value: '<ms>' },
    stddev: { flag: '--conversation-turn-delay-stddev', aliases: ['--session-turn-delay-stddev'], value: '<ms>' },
  }),
  turnDelayRatio: z
    .number()
    .min(0)
    .optional()
    .describe('Factor on every think time (default 1)')
    .meta({ flag: '--conversation-turn-delay-ratio', aliases: ['--session-delay-ratio'], group: TURNS }),
  rankings: z
    .strictObject({
      passages: distribution('Passages of a ranking request (default 10)', 'passages', {
        group: RANKINGS,
        mean: { flag: '--rankings-passages-mean' },
        stddev: { flag: '--rankings-passages-stddev' },
      }),
      passageTokens: distribution('Length of a passage (default 128)', 'tokens', {
        group: RANKINGS,
        mean: { flag: '--rankings-passages-prompt-token-mean' },
        stddev: { flag: '--rankings-passages-prompt-token-stddev' },
      }),
      queryTokens: distribution('Length of the query (default 32)', 'tokens', {
        group: RANKINGS,
        mean: { flag: '--rankings-query-prompt-token-mean' },
        stddev: { flag: '--rankings-query-prompt-token-stddev' },
      }),
    })
    .optional(),
})
