import { defineMetric, type RecordMetric } from '@aiperf/core'
import { elapsed, known } from './facts.js'

const time = (d: Pick<RecordMetric, 'tag' | 'header' | 'shortHeader' | 'order' | 'description' | 'compute' | 'requires'>): RecordMetric => ({
  kind: 'record',
  unit: 'ns',
  displayUnit: 'ms',
  group: 'http',
  ...d,
})

/** The later of the stamps that exist; NaN when none does. */
function last(...stamps: number[]): number {
  let latest = Number.NaN
  for (const stamp of stamps) if (!(stamp <= latest) && !Number.isNaN(stamp)) latest = stamp
  return latest
}

/**
 * Phases of an HTTP request. They follow one another without overlap, so that blocked + DNS + connecting + TLS + sending +
 * waiting + receiving is the total, and the total is dispatch to last byte.
 */
export default defineMetric(
  time({
    tag: 'http_req_blocked',
    header: 'HTTP Blocked',
    shortHeader: 'Blocked',
    order: 2000,
    description: 'Wait for a usable connection beside its set-up. assigned − dispatched, less DNS, connecting and TLS.',
    compute: (r) => {
      const ready = last(r.dnsNs, r.tcpNs, r.tlsNs)
      return elapsed(r.assignedNs, Number.isNaN(ready) ? r.dispatchedNs : ready)
    },
  }),
  time({
    tag: 'http_req_dns_lookup',
    header: 'HTTP DNS Lookup',
    shortHeader: 'DNS',
    order: 2010,
    description: 'Name resolution; 0 for an existing connection, an address or a cached answer. dns − dispatched.',
    compute: (r) => (Number.isNaN(r.dnsNs) ? ifAssigned(r.assignedNs) : elapsed(r.dnsNs, r.dispatchedNs)),
  }),
  time({
    tag: 'http_req_connecting',
    header: 'HTTP Connecting',
    shortHeader: 'Connecting',
    order: 2020,
    description: 'TCP connection, without DNS and TLS; 0 for an existing connection. tcp − (dns or dispatched).',
    compute: (r) => (Number.isNaN(r.tcpNs) ? ifAssigned(r.assignedNs) : elapsed(r.tcpNs, last(r.dnsNs, r.dispatchedNs))),
  }),
  time({
    tag: 'http_req_tls_handshaking',
    header: 'HTTP TLS Handshaking',
    shortHeader: 'TLS',
    order: 2025,
    description: 'TLS handshake; 0 for an existing or a plain connection. tls − tcp.',
    compute: (r) => (Number.isNaN(r.tlsNs) ? ifAssigned(r.assignedNs) : elapsed(r.tlsNs, last(r.tcpNs, r.dnsNs, r.dispatchedNs))),
  }),
  time({
    tag: 'http_req_sending',
    header: 'HTTP Sending',
    shortHeader: 'Sending',
    order: 2030,
    description: 'Writing the request on a connection in hand. written − assigned.',
    compute: (r) => elapsed(r.writtenNs, r.assignedNs),
  }),
  time({
    tag: 'http_req_waiting',
    header: 'HTTP Waiting (TTFB)',
    shortHeader: 'TTFB',
    order: 2040,
    description: 'Last byte of the request to first byte of the response, its head included; 0 when the response began earlier. firstByte − written.',
    compute: (r) => (r.firstByteNs < r.writtenNs ? 0 : elapsed(r.firstByteNs, r.writtenNs)),
  }),
  time({
    tag: 'http_req_receiving',
    header: 'HTTP Receiving',
    shortHeader: 'Receiving',
    order: 2050,
    description: 'First to last byte of the response. end − firstByte.',
    compute: (r) => elapsed(r.endNs, last(r.firstByteNs, r.writtenNs)),
  }),
  {
    kind: 'record',
    tag: 'http_req_connection_reused',
    header: 'HTTP Connection Reused',
    shortHeader: 'Conn Reused',
    unit: 'ratio',
    group: 'http',
    order: 2060,
    description: '1 when the request used an existing connection, else 0.',
    compute: (r) => known(r.reused),
  },
  {
    kind: 'record',
    tag: 'http_req_data_sent',
    header: 'HTTP Data Sent',
    shortHeader: 'Sent',
    unit: 'B',
    displayUnit: 'KB',
    group: 'http',
    order: 2070,
    description: 'Bytes written for the request (1 KB = 1024 bytes).',
    compute: (r) => known(r.bytesSent),
  },
  {
    kind: 'record',
    tag: 'http_req_chunks_sent',
    header: 'HTTP Chunks Sent',
    shortHeader: 'Chunks Sent',
    unit: 'count',
    group: 'http',
    order: 2080,
    description: 'Pieces in which the request was handed to the transport: 1.',
    compute: (r) => (Number.isNaN(r.writtenNs) ? undefined : 1),
  },
  {
    kind: 'record',
    tag: 'http_req_data_received',
    header: 'HTTP Data Received',
    shortHeader: 'Received',
    unit: 'B',
    displayUnit: 'KB',
    group: 'http',
    order: 2090,
    description: 'Bytes of the response body, transfer coding removed (1 KB = 1024 bytes).',
    compute: (r) => known(r.bytesReceived),
  },
  {
    kind: 'record',
    tag: 'http_req_chunks_received',
    header: 'HTTP Chunks Received',
    shortHeader: 'Chunks Recv',
    unit: 'count',
    group: 'http',
    order: 2100,
    description: 'Reads of the socket that brought bytes of the body.',
    compute: (r) => r.reads,
  },
  time({
    tag: 'http_req_connection_overhead',
    header: 'HTTP Connection Overhead',
    shortHeader: 'Conn Overhead',
    order: 2110,
    requires: ['http_req_blocked', 'http_req_connecting', 'http_req_dns_lookup', 'http_req_tls_handshaking'],
    description: 'Time until a connection was in hand: blocked + DNS + connecting + TLS, each once. assigned − dispatched.',
    compute: (r) => elapsed(r.assignedNs, r.dispatchedNs),
  }),
  time({
    tag: 'http_req_duration',
    header: 'HTTP Duration (excl. conn)',
    shortHeader: 'Dur (excl)',
    order: 2120,
    description: 'The exchange itself, without getting a connection: sending + waiting + receiving. end − assigned.',
    compute: (r) => elapsed(r.endNs, r.assignedNs),
  }),
  time({
    tag: 'http_req_total',
    header: 'HTTP Total Time',
    shortHeader: 'Total',
    order: 2130,
    requires: ['http_req_connection_overhead', 'http_req_sending', 'http_req_waiting', 'http_req_receiving'],
    description: 'Sum of all phases: connection overhead + sending + waiting + receiving. end − dispatched.',
    compute: (r) => elapsed(r.endNs, r.dispatchedNs),
  }),
)

/** A step that was not needed took no time; without a connection nothing is known. */
function ifAssigned(assignedNs: number): number | undefined {
  return Number.isNaN(assignedNs) ? undefined : 0
}
