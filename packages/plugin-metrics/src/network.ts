import { defineMetric, type Gate, type RecordMetric } from '@aiperf/core'

const adjusted = (of: string, header: string, shortHeader: string, order: number, gates: Gate[]): RecordMetric => ({
  kind: 'record',
  tag: `network_adjusted_${of}`,
  header: `Network-Adjusted ${header}`,
  shortHeader: `Net-Adj ${shortHeader}`,
  unit: 'ns',
  displayUnit: 'ms',
  gates: ['network-rtt', ...gates],
  requires: [of],
  order,
  noIndividualRecords: true,
  description: `${header} without one network round trip. max(0, ${of} − network_rtt).`,
  compute: (_, value, { networkRttNs }) => Math.max(0, value(of)! - networkRttNs!),
})

/** Latencies less the network's mean round trip. */
export default defineMetric(
  adjusted('request_latency', 'Request Latency', 'Req Latency', 301, []),
  adjusted('time_to_first_token', 'Time to First Token', 'TTFT', 101, ['streaming', 'tokens']),
  adjusted('time_to_first_output_token', 'Time to First Output Token', 'TTFO', 211, ['streaming', 'tokens']),
  {
    kind: 'derived',
    tag: 'network_rtt',
    header: 'Network RTT',
    shortHeader: 'Net RTT',
    unit: 'ns',
    displayUnit: 'ms',
    gates: ['network-rtt'],
    order: 305,
    description: 'Mean round trip to the servers: given, or measured by TCP handshakes.',
    compute: (_, { networkRttNs }) => networkRttNs,
  },
)
