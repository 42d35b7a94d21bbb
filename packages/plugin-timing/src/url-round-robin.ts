import { defineUrlStrategy } from '@aiperf/core'

/** URLs in turn, by session number: the same session meets the same URL whatever the number of workers. */
export default defineUrlStrategy({
  create: ({ urls }) => ({ choose: (session) => session % urls }),
})
