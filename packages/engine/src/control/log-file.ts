import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Ui } from '@aiperf/core'

/** A user interface whose log lines are kept in a file besides. */
export function withLogFile(ui: Ui, path: string, command: string): Ui {
  const line = (level: string, message: string): string => `${new Date().toISOString()} ${level.toUpperCase()} ${message}\n`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, line('info', command))
  return {
    update: (snapshot) => ui.update(snapshot),
    close: () => ui.close(),
    log: (level, message) => {
      ui.log(level, message)
      try {
        appendFileSync(path, line(level, message))
      } catch {
        // A disk that is full is told by the journal; the line was shown.
      }
    },
  }
}
