import { z } from 'zod'

const group = 'Dataset'

export default z.strictObject({
  sessions: z.int().min(1).default(1000).describe('Sessions').meta({ flag: '--num-sessions', group }),
  config: z.string().min(1).default('default').describe('Name of a model of sessions, or a JSON file with what differs from the default one').meta({ flag: '--config', group, value: '<name|file>' }),
  seed: z.int().min(0).default(42).describe('The same seed makes the same dataset').meta({ flag: '--seed', aliases: ['--random-seed'], group }),
  maxIsl: z.int().min(1).optional().describe('Longest input of a turn, tokens').meta({ flag: '--max-isl', group, value: '<tokens>' }),
  maxOsl: z.int().min(1).optional().describe('Longest output of a turn, tokens').meta({ flag: '--max-osl', group, value: '<tokens>' }),
  output: z.string().min(1).default('.').describe('Folder in which the dataset’s own folder is made').meta({ flag: '--output', group: 'Output', value: '<folder>' }),
})
