import { defineDatasetSampler } from '@aiperf/core'

/** The sessions in the order of the dataset, from the start again when exhausted. */
export default defineDatasetSampler({
  create: ({ size }) => ({ at: (n) => n % size }),
})
