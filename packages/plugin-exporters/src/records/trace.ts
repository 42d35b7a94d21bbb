import type { RecordView } from '@aiperf/core'
import type { ByteText } from '../format/byte-text.js'
import type { MetadataWriter } from './metadata.js'

/**
 * Writes `trace_data` (`--export-http-trace`): when each step of the HTTP exchange happened, and how long the steps
 * took. `trace_type` names the layout, which readers of this file choose by.
 */
export function writeTrace(text: ByteText, record: RecordView, metadata: MetadataWriter): void {
  const { dispatchedNs, assignedNs, dnsNs, tcpNs, tlsNs, writtenNs, firstByteNs, headNs, endNs } = record
  const sendStartNs = Number.isNaN(assignedNs) ? dispatchedNs : assignedNs
  const connectedNs = Number.isNaN(tlsNs) ? tcpNs : tlsNs
  const opened = !Number.isNaN(connectedNs)
  text.ascii('{"trace_type":"aiohttp"')
  metadata.time(text, ',"request_send_start_ns":', sendStartNs)
  text.ascii(',"request_chunks":[]')
  metadata.time(text, ',"request_send_end_ns":', writtenNs)
  text.ascii(Number.isNaN(writtenNs) ? ',"request_chunks_count":0' : ',"request_chunks_count":1')
  count(text, ',"request_bytes_total":', record.bytesSent)
  if (record.status > 0) count(text, ',"response_status_code":', record.status)
  metadata.time(text, ',"response_receive_start_ns":', firstByteNs)
  metadata.time(text, ',"response_headers_received_ns":', headNs)
  text.ascii(',"response_chunks":[]')
  count(text, ',"response_chunks_count":', record.reads)
  count(text, ',"response_bytes_total":', record.bytesReceived)
  if (record.outcomeName === 'connection' || record.outcomeName === 'timeout') metadata.time(text, ',"error_timestamp_ns":', endNs)
  else metadata.time(text, ',"response_receive_end_ns":', endNs)
  if (record.reused === 1) metadata.time(text, ',"connection_reused_ns":', sendStartNs)
  if (!Number.isNaN(dnsNs)) {
    metadata.time(text, ',"dns_lookup_start_ns":', dispatchedNs)
    metadata.time(text, ',"dns_lookup_end_ns":', dnsNs)
  }
  if (opened) {
    metadata.time(text, ',"tcp_connect_start_ns":', Number.isNaN(dnsNs) ? dispatchedNs : dnsNs)
    metadata.time(text, ',"tcp_connect_end_ns":', connectedNs)
  }
  span(text, ',"sending_ns":', sendStartNs, writtenNs)
  span(text, ',"waiting_ns":', writtenNs, firstByteNs)
  span(text, ',"receiving_ns":', firstByteNs, endNs)
  span(text, ',"duration_ns":', sendStartNs, endNs)
  if (opened) span(text, ',"connecting_ns":', dispatchedNs, connectedNs)
  text.byte(125)
}

function count(text: ByteText, name: string, value: number): void {
  if (Number.isNaN(value)) return
  text.ascii(name)
  text.integer(value)
}

function span(text: ByteText, name: string, fromNs: number, toNs: number): void {
  if (toNs >= fromNs) count(text, name, Math.round(toNs - fromNs))
}
