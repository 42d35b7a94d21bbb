import { defineDatasetSampler } from '@aiperf/core'

/** Draws drawn at a time: a stream per draw would cost a hash each. */
const BLOCK = 1024

/** Sessions drawn with replacement. */
export default defineDatasetSampler({
  create({ size, random }) {
    const root = random('dataset.sampler')
    const draws = new Uint32Array(BLOCK)
    let drawn = -1
    return {
      at(n) {
        const block = Math.floor(n / BLOCK)
        if (block !== drawn) {
          const stream = root.fork(block)
          for (let i = 0; i < BLOCK; i++) draws[i] = stream.integer(0, size - 1)
          drawn = block
        }
        return draws[n % BLOCK]!
      },
    }
  },
})
