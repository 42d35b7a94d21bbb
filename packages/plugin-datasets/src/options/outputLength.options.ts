import { distribution } from './distribution.options.js'

/** Output length of recorded data where it states none. The same flags as for generated data. */
export const osl = distribution('Output length asked for where the data has none of its own', 'tokens', {
  group: 'Output Sequence Length (OSL)',
  mean: { flag: '--prompt-output-tokens-mean', aliases: ['--output-tokens-mean', '--osl'], comma: 'sweep', value: '<tokens>' },
  stddev: { flag: '--prompt-output-tokens-stddev', aliases: ['--output-tokens-stddev', '--osl-stddev'], comma: 'sweep', value: '<tokens>' },
})
