import type { Delta, Frame, Json, PollStep } from '@aiperf/core'
import type { FrameReader } from './frame-decoder.js'
import { pushServerNumbers } from './images.js'
import { objectOf, stringOf } from './json.js'
import { pushUsage } from './usage.js'

const ENDED_WELL = new Set(['completed', 'succeeded'])
const FAILED = new Set(['failed', 'error', 'cancelled', 'canceled', 'expired'])

/** Reads the job of a video: submitted, in progress, or done. Only a finished one is content. */
export class VideosReader implements FrameReader {
  read(body: Json, out: Delta[], frame: Frame): void {
    const job = objectOf(body)
    if (job === undefined) return
    const status = stringOf(job['status'])
    if (ENDED_WELL.has(status)) out.push({ kind: 'data', data: 'video', count: 1 })
    else if (FAILED.has(status) && !out.some((d) => d.kind === 'error')) out.push({ kind: 'error', type: 'VideoGenerationError', code: 500, message: `the video job ended with status "${status}"` })
    pushServerNumbers(job, out)
    pushUsage(job, out)
    if (stringOf(job['id']) === '' && frame.framing === 'body' && out.length === 0) out.push({ kind: 'error', type: 'VideoGenerationError', code: 500, message: `expected a job with an id, got ${frame.text().slice(0, 300)}` })
  }
}

/** What to do after the submit or a poll answered with `body`. */
export function pollStep(body: Json, download: boolean): PollStep {
  const job = objectOf(body)
  const id = stringOf(job?.['id'])
  if (job === undefined || id === '') return { kind: 'failed', message: `expected a job with an id, got ${JSON.stringify(body)?.slice(0, 300)}` }
  const status = stringOf(job['status'])
  const poll = encodeURIComponent(id)
  if (FAILED.has(status)) {
    const error = job['error']
    return { kind: 'failed', message: stringOf(objectOf(error)?.['message']) || stringOf(error) || `the video job ended with status "${status}"` }
  }
  if (!ENDED_WELL.has(status)) return { kind: 'wait', path: poll }
  return download ? { kind: 'done', download: stringOf(job['url']) || `${poll}/content` } : { kind: 'done' }
}
