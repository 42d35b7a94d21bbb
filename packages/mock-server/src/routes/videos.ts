import { mp4 } from '../answer/media.js'
import { submitted } from '../ask/form-fields.js'
import type { ServerContext } from '../context.js'
import { answerOnce, type Question } from '../drive/answer-once.js'
import type { Exchange } from '../http/exchange.js'
import type { HttpRequest } from '../http/request.js'
import { nowMs } from '../timing/clock.js'
import type { Route } from './route.js'

const VIDEO = mp4(64 << 10)

/**
 * POST /v1/videos: https://platform.openai.com/docs/api-reference/videos. Answers at once with a job; where the fault
 * `errorEvent` is drawn for the request, the job fails. Requests about a job are none for inference: the truth has the
 * submission alone.
 */
export const submitVideo: Route = {
  method: 'POST',
  path: '/v1/videos',
  handle: (exchange, context) => answerOnce(exchange, context, (_body, request) => read(request, context)),
}

/** GET /v1/videos/ID: how a job stands. */
export const videoJob: Route = {
  method: 'GET',
  path: '/v1/videos/*',
  handle(exchange, { videos }) {
    const job = videos.job(idIn(exchange))
    if (job) exchange.respondJson(200, job)
    else exchange.respondError(404, `Video with id '${idIn(exchange)}' not found.`)
  },
}

/** GET /v1/videos/ID/content: the video itself, once it is done. */
export const videoContent: Route = {
  method: 'GET',
  path: '/v1/videos/*/content',
  handle(exchange, { videos }) {
    const done = videos.isDone(idIn(exchange))
    if (done) exchange.respond(200, 'video/mp4', VIDEO)
    else exchange.respondError(404, done === undefined ? `Video with id '${idIn(exchange)}' not found.` : 'Video is not ready yet, use GET /v1/videos/{video_id} to check status.')
  },
}

function read(request: HttpRequest, { videos, planner }: ServerContext): Question {
  const { fields } = submitted(request, request.header('content-type'), [])
  fields.required('prompt')
  const prompt = fields.string('prompt')!
  const [seconds, size] = [fields.get('seconds') ?? '4', fields.get('size') ?? '720x1280']
  return {
    model: fields.string('model') ?? '',
    texts: [prompt],
    answer: ({ id, model, faults }) =>
      videos.submit({ id: `video_${id}`, model, seconds: String(seconds), size: String(size), created: planner.now(), submittedMs: nowMs(), fails: faults?.break === 'errorEvent' }),
  }
}

function idIn({ request: { path } }: Exchange): string {
  return decodeURIComponent(/\/videos\/([^/]+)/.exec(path)![1]!)
}
