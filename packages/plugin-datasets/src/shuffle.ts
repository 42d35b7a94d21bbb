import { defineDatasetSampler } from '@aiperf/core'

/** Every session once in random order, then again in another order, and so on. */
export default defineDatasetSampler({
  create({ size, random }) {
    const root = random('dataset.sampler')
    const order = new Uint32Array(size)
    let shuffled = -1
    return {
      at(n) {
        const round = Math.floor(n / size)
        if (round !== shuffled) {
          const stream = root.fork(round)
          for (let i = 0; i < size; i++) order[i] = i
          for (let i = size - 1; i > 0; i--) {
            const j = stream.integer(0, i)
            const held = order[i]!
            order[i] = order[j]!
            order[j] = held
          }
          shuffled = round
        }
        return order[n % size]!
      },
    }
  },
})
