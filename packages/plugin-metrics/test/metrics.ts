import type { Metric } from '@aiperf/core'
import active from '../src/active.js'
import chunks from '../src/chunks.js'
import counts from '../src/counts.js'
import effective from '../src/effective.js'
import energy from '../src/energy.js'
import goodput from '../src/goodput.js'
import http from '../src/http.js'
import latency from '../src/latency.js'
import media from '../src/media.js'
import network from '../src/network.js'
import prefixCache from '../src/prefix-cache.js'
import replay from '../src/replay.js'
import response from '../src/response.js'
import specDecode from '../src/spec-decode.js'
import throughput from '../src/throughput.js'
import tokens from '../src/tokens.js'
import usage from '../src/usage.js'

const families = [latency, response, chunks, tokens, throughput, counts, goodput, usage, effective, active, http, network, replay, prefixCache, specDecode, media, energy]

/** Every metric of the package. */
export const allMetrics: readonly Metric[] = families.flatMap((family) => (family.create as () => readonly Metric[])())
