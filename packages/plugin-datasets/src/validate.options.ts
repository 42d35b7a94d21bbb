import { z } from 'zod'
import { inputFile, results } from './options/tool.options.js'

export default z.strictObject({
  inputFile: inputFile('path', 'The dataset: a file, packed or not, or a folder'),
  format: z.string().optional().describe('Format of the dataset, where its first row does not tell').meta({ flag: '--custom-dataset-type', group: 'Input', contribution: 'dataset_loader', where: { source: ['file', 'public'] }, value: '<format>' }),
  blockSize: z.int().min(1).optional().describe('Tokens that one hash id of a trace stands for (default: the format’s own)').meta({ flag: '--isl-block-size', aliases: ['--block-size'], group: 'Input', value: '<tokens>' }),
  fixedSchedule: z.boolean().optional().describe('Whether time stamps are needed, as in a run that replays them (default: when the first row of a trace has one)').meta({ flag: '--fixed-schedule', group: 'Input' }),
  tokenizer: z.string().min(1).default('builtin').describe('Tokenizer for the formats that measure texts while they are read').meta({ flag: '--tokenizer', group: 'Input', value: '<name>' }),
  limit: z.int().min(1).default(20).describe('Bad lines that are shown; all are counted').meta({ flag: '--limit', group: 'Output' }),
  ...results,
})
