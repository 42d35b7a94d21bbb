import { defineExporter } from '@aiperf/core'
import { accuracyDocument } from './export/document.js'
import { answerLines } from './export/lines.js'
import { accuracyCsv, accuracyTables } from './export/tables.js'

/** Graded answers: `accuracy` of the summary, a table, the scores as CSV, and a line for each answer. */
export default defineExporter({
  create: () => ({
    async adds({ accuracy }) {
      return accuracy ? { json: { accuracy: accuracyDocument(accuracy) }, tables: await accuracyTables(accuracy) } : {}
    },
    async write(run, dir) {
      const { accuracy } = run
      if (!accuracy) return
      await dir.write('accuracy_results.csv', accuracyCsv(accuracy))
      if (run.output.level !== 'summary') await dir.stream(dir.named('accuracy_export.jsonl', '_accuracy.jsonl'), answerLines(run, accuracy))
    },
  }),
})
