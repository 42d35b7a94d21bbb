import { defineUi } from '@aiperf/core'
import { logLine } from './log-lines.js'

/** Log lines on stderr, nothing else. */
export default defineUi({
  create: ({ stderr }) => ({
    update() {},
    log: (level, message) => void stderr.write(logLine(stderr, level, message)),
    async close() {},
  }),
})
