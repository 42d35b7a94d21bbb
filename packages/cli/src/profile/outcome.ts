import { AiperfError, EXIT, type RunResult } from '@aiperf/core'

/** What an exit code other than 0 means, for stderr: the tables on stdout may be read by nobody. */
export function outcomeError(exitCode: number, result: RunResult): AiperfError | undefined {
  const { info, errors } = result.profiling
  switch (exitCode) {
    case EXIT.failed: {
      const failed = info.counts.errors
      const causes = errors.slice(0, 3).map(({ error, count }) => `${count} × ${error.type}: ${error.message}`)
      const message = failed === 0 ? 'No request was completed.' : `All ${failed} requests failed: ${causes.join('; ')}.`
      return new AiperfError('E_NO_SUCCESS', message, { hint: 'Is the server running at the --url, and does it know the model?' })
    }
    case EXIT.limit: {
      if (info.endedBy === 'error-threshold') return new AiperfError('E_ERROR_THRESHOLD', `${info.counts.errors} of ${info.counts.completed + info.counts.errors} requests failed, more than --failed-request-threshold allows.`)
      const { verdict, reasons } = result.verdict
      return new AiperfError('E_STRICT', `The verdict is ${verdict}: ${reasons.filter((r) => r.level !== 'note').map((r) => r.message).join('; ')}.`)
    }
    case EXIT.interrupted:
      return new AiperfError('E_INTERRUPTED', 'The run was interrupted; what was measured until then is written.')
    default:
      return undefined
  }
}
