import { defineUrlStrategy } from '@aiperf/core'

/** A URL that failed is passed over for this long, ns; each further failure doubles it, up to the limit. */
const REST_NS = 1e9
const LONGEST_REST_NS = 30e9

/**
 * The URL with the fewest requests in flight; ties go round by session number. A URL whose requests fail rests for a
 * while, longer each time, and comes back with its first success. When all rest, the one whose rest ends first is used.
 */
export default defineUrlStrategy({
  create: ({ urls, inFlight, now }) => {
    const restUntilNs = new Float64Array(urls)
    const failures = new Uint32Array(urls)
    return {
      choose(session) {
        const nowNs = now()
        let best = -1
        let earliest = 0
        for (let i = 0; i < urls; i++) {
          const url = (session + i) % urls
          if (restUntilNs[url]! < restUntilNs[earliest]!) earliest = url
          if (restUntilNs[url]! > nowNs) continue
          if (best < 0 || inFlight(url) < inFlight(best)) best = url
        }
        return best < 0 ? earliest : best
      },
      ended(url, success) {
        if (success) {
          failures[url] = 0
          restUntilNs[url] = 0
          return
        }
        restUntilNs[url] = now() + Math.min(LONGEST_REST_NS, REST_NS * 2 ** failures[url]!)
        failures[url]!++
      },
    }
  },
})
