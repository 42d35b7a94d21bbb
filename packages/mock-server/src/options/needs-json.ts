import type { ResolvedOptions } from './resolve.js'

/** Whether anything configured depends on more of a request than a scan of its bytes finds. */
export function needsJson(options: ResolvedOptions): boolean {
  return (
    options.parse === 'always' ||
    options.model !== undefined ||
    options.countTokens !== undefined ||
    options.toolCallRate > 0 ||
    options.promptHash ||
    options.captureRequests
  )
}
