import { z } from 'zod'

export default z.strictObject({
  downloadVideoContent: z.boolean().default(false)
    .describe('Fetch the finished video')
    .meta({ flag: '--download-video-content', group: 'Endpoint' }),
  videoPollSeconds: z.number().positive().max(3600).default(0.1)
    .describe('Time between two questions whether a video is done, in seconds.')
    .meta({ group: 'Endpoint', value: '<s>', env: ['AIPERF_HTTP_VIDEO_POLL_INTERVAL'] }),
})
