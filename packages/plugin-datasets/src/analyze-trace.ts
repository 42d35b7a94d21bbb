import { AiperfError, defineTool, type OptionsSchema } from '@aiperf/core'
import { analyzeTrace, traceFormatOf, type AnalysableFormat } from './analysis/analyze.js'
import { analysisText } from './analysis/analysisText.js'
import { giveResults, type ResultOptions } from './analysis/results.js'

interface AnalyzeOptions extends ResultOptions {
  inputFile: string
  format?: AnalysableFormat
  blockSize?: number
  onBadLine: 'fail' | 'skip'
}

/** What a trace asks of a server, before anything is sent. */
export default defineTool<OptionsSchema<AnalyzeOptions>>({
  create: ({ options }) => ({
    async run(host) {
      const { inputFile, blockSize, onBadLine } = options
      const format = options.format ?? traceFormatOf(await host.readHead(inputFile))
      const report = host.report(onBadLine)
      const analysis = await analyzeTrace(host.openSource(inputFile, report), format, report, blockSize)
      report.finish()
      if (analysis.total_requests === 0) throw new AiperfError('E_DATASET', `${inputFile} holds no request with a length`, { hint: 'every row needs an input_length' })
      await giveResults(host, options, analysis, () => analysisText(`${inputFile} (${format})`, analysis))
      return 0
    },
  }),
})
