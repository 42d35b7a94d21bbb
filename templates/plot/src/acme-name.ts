import { definePlot } from '@aiperf/core'

export default definePlot({
  create: () => ({
    // Vega-Lite with its data inline; size, fonts and theme are the host's.
    async draw([run], style) {
      const requests = await run!.requests(['request_latency'])
      const latencies = requests?.values('request_latency')
      if (!requests || !latencies) return { absent: 'no request has a latency' }
      const values = [...latencies].flatMap((latency, i) => (Number.isFinite(latency) ? [{ start: requests.startSeconds[i]!, latency }] : []))
      return {
        spec: {
          data: { values },
          mark: { type: 'point', color: style.series[0]!, filled: true, opacity: 0.6 },
          encoding: { x: { field: 'start', type: 'quantitative', title: 'Start (s)' }, y: { field: 'latency', type: 'quantitative', title: 'Request latency (ms)' } },
        },
        description: `Latency of ${values.length} requests of ${run!.label} against the time at which they began.`,
        subtitle: `${values.length} requests`,
      }
    },
  }),
})
