import { nowMs } from '../timing/clock.js'

/** How many jobs are remembered, the newest. */
const KEPT = 10_000
/** Share of a job's time that it waits in line. */
const QUEUED = 0.1

export interface VideoOrder {
  readonly id: string
  readonly model: string
  readonly seconds: string
  readonly size: string
  /** Unix time in seconds. */
  readonly created: number
  /** Of the monotonic clock. */
  readonly submittedMs: number
  readonly fails: boolean
}

/** Jobs of videos: each is done a set time after its submission. */
export class VideoJobs {
  readonly #orders = new Map<string, VideoOrder>()

  constructor(private readonly takesMs: number) {}

  submit(order: VideoOrder): object {
    this.#orders.set(order.id, order)
    if (this.#orders.size > KEPT) this.#orders.delete(this.#orders.keys().next().value!)
    return this.#describe(order, 'queued', 0)
  }

  /** The job as it stands now; undefined where there is none. */
  job(id: string): object | undefined {
    const order = this.#orders.get(id)
    if (!order) return undefined
    const share = this.#share(order)
    if (share < 1) return this.#describe(order, share < QUEUED ? 'queued' : 'in_progress', share < QUEUED ? 0 : Math.floor(share * 100))
    if (order.fails) return this.#describe(order, 'failed', 100)
    return this.#describe(order, 'completed', 100)
  }

  /** Whether the video of a job is there; undefined where there is no job. */
  isDone(id: string): boolean | undefined {
    const order = this.#orders.get(id)
    return order && !order.fails && this.#share(order) >= 1
  }

  #share({ submittedMs }: VideoOrder): number {
    return this.takesMs === 0 ? 1 : (nowMs() - submittedMs) / this.takesMs
  }

  #describe({ id, model, seconds, size, created }: VideoOrder, status: string, progress: number): object {
    const completed = status === 'completed'
    return {
      id,
      object: 'video',
      created_at: created,
      completed_at: completed ? created + Math.floor(this.takesMs / 1e3) : null,
      expires_at: completed ? created + 86_400 : null,
      status,
      model,
      progress,
      seconds,
      size,
      error: status === 'failed' ? { code: 'video_generation_failed', message: 'the generation has failed' } : null,
      remixed_from_video_id: null,
    }
  }
}
