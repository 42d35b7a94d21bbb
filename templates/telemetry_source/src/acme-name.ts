import { freemem, hostname, loadavg } from 'node:os'
import { defineTelemetrySource, type TelemetrySeries } from '@aiperf/core'
import type options from './acme-name.options.js'

/** One object per series, handed in again with every sample. */
const LOAD: TelemetrySeries = { name: 'acme_name_load', type: 'gauge', unit: '', description: 'Processes that want to run, mean of a minute.', labels: {}, header: 'Load' }
const FREE: TelemetrySeries = { name: 'acme_name_free_memory', type: 'gauge', unit: 'GiB', description: 'Memory that nobody uses.', labels: {}, header: 'Free memory' }

export default defineTelemetrySource<typeof options>({
  create: ({ options, now }) => ({
    // The host keeps the time: it asks every target when it is due, and at the borders of phases.
    discover: async () => [
      {
        name: hostname(),
        asked: true,
        intervalMs: options.intervalMs,
        sample: async () => ({ ns: now(), values: [{ series: LOAD, value: loadavg()[0]! }, { series: FREE, value: freemem() / 2 ** 30 }] }),
      },
    ],
  }),
})
