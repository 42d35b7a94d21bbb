import { EXIT } from '@aiperf/core'

const TWICE = 2

/**
 * Ctrl-C once asks the run to end and to write what was measured; twice ends the process at once. A request to terminate
 * is like the first.
 */
export function onInterrupt(): { signal: AbortSignal; press(): void } {
  const controller = new AbortController()
  let presses = 0
  const press = (): void => {
    presses++
    if (presses >= TWICE) process.exit(EXIT.interrupted)
    controller.abort()
  }
  process.on('SIGINT', press)
  process.on('SIGTERM', press)
  return { signal: controller.signal, press }
}
