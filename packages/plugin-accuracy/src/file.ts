import { defineAccuracyBenchmark, type AccuracyProblem, type OptionsSchema } from '@aiperf/core'
import { readQuestion } from './file/question.js'

/** Questions and answers of a file, a JSON object a line. */
export default defineAccuracyBenchmark<OptionsSchema<{ maxTokens: number }>>({
  create: ({ options }) => ({
    async *problems(source, report): AsyncGenerator<AccuracyProblem> {
      for await (const { row, file, line } of source.rows()) {
        const problem = readQuestion(row, options.maxTokens)
        if (typeof problem === 'string') report.bad({ file, line }, problem)
        else yield problem
      }
    },
  }),
})
