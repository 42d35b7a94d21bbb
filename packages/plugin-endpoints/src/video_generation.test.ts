import { describe, expect, it } from 'vitest'
import video from './video_generation.js'
import { whole } from '../test/decode.js'
import { endpoint, input, text } from '../test/endpoint.js'
import { formOf } from '../test/form.js'

describe('video_generation', async () => {
  const plain = await endpoint(video, { extraInputs: { seconds: 4, size: '720x1280' } })
  const job = (status: string, more: object = {}) => ({ id: 'video_1', object: 'video', status, ...more })

  it('submits a form', async () => {
    expect(await formOf(plain.encode(input(text('a cat', { extraBody: { seconds: 8 } }))))).toEqual([['prompt', 'a cat'], ['model', 'm'], ['seconds', '8'], ['size', '720x1280']])
  })

  it('asks until the job is done or failed, and downloads when asked to', async () => {
    const { next, intervalMs } = plain.polling!
    expect(intervalMs).toBe(100)
    for (const status of ['queued', 'in_progress', '']) expect(next(job(status))).toEqual({ kind: 'wait', path: 'video_1' })
    expect(next(job('completed'))).toEqual({ kind: 'done' })
    expect(next(job('failed', { error: { message: 'out of memory' } }))).toEqual({ kind: 'failed', message: 'out of memory' })
    expect(next({ detail: 'no' })).toMatchObject({ kind: 'failed', message: expect.stringContaining('"detail"') })
    const downloading = (await endpoint(video, { options: { downloadVideoContent: true, videoPollSeconds: 2 } })).polling!
    expect(downloading.intervalMs).toBe(2000)
    expect(downloading.next(job('completed'))).toEqual({ kind: 'done', download: 'video_1/content' })
    expect(downloading.next(job('completed', { url: '/files/1' }))).toEqual({ kind: 'done', download: '/files/1' })
  })

  it('is content only when done, with the server\'s own numbers', () => {
    expect(whole(plain, job('queued'))).toEqual([])
    expect(whole(plain, job('completed', { inference_time_s: 12.5, peak_memory_mb: 40000, usage: { total_tokens: 1 } }))).toEqual([
      { kind: 'data', data: 'video', count: 1 }, { kind: 'field', name: 'inference_time_s', value: 12.5 }, { kind: 'field', name: 'peak_memory_mb', value: 40000 }, { kind: 'usage', usage: { total: 1 } },
    ])
    expect(whole(plain, job('failed', { error: { message: 'out of memory', code: 'oom' } }))).toEqual([{ kind: 'error', message: 'out of memory', type: 'oom' }])
    expect(whole(plain, job('failed'))).toMatchObject([{ kind: 'error', type: 'VideoGenerationError', code: 500 }])
    expect(whole(plain, { ok: true })).toMatchObject([{ kind: 'error', message: expect.stringContaining('job with an id') }])
  })
})
