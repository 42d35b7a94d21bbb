import { defineDatasetLoader, type Json, type Turn } from '@aiperf/core'
import type options from './acme-name.options.js'

export default defineDatasetLoader<typeof options>({
  create: ({ options }) => ({
    detect: ({ first }) => typeof first === 'object' && first !== null && !Array.isArray(first) && typeof first['question'] === 'string',
    async *load(source, report) {
      let number = 0
      // One line at a time: the file may be larger than memory.
      for await (const { row, line, file } of source.rows()) {
        const questions: Json[] = [row['question'] ?? null, ...(Array.isArray(row['follow_ups']) ? row['follow_ups'] : [])]
        const texts = questions.filter((question): question is string => typeof question === 'string' && question !== '')
        if (texts.length < questions.length) {
          report.bad({ file, line }, 'expected {"question": "…", "follow_ups": ["…"]}')
          continue
        }
        const turns = texts.map((text): Turn => ({ texts: [{ contents: [text] }], ...(options.maxAnswerTokens === undefined ? {} : { maxTokens: options.maxAnswerTokens }) }))
        yield { id: `question_${++number}`, turns }
      }
    },
  }),
})
