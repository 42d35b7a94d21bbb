import { SseParser, type RawExchange } from '@aiperf/core'
import type { ByteText } from '../format/byte-text.js'

/**
 * Writes the `responses` of a raw record: one object per event of a stream, stamped with the read that completed it;
 * any other body as one text, stamped with its last read.
 */
export function writeResponses(text: ByteText, { responseHeaders, reads }: RawExchange, streamed: boolean): void {
  const contentType = headerValue(responseHeaders, 'content-type').toLowerCase()
  text.byte(91)
  if (contentType.startsWith('text/event-stream') || (streamed && contentType === '')) writeEvents(text, reads)
  else if (reads.length > 0) writeBody(text, reads, contentType)
  text.byte(93)
}

function writeEvents(text: ByteText, reads: RawExchange['reads']): void {
  let packets: { name: string; value: string }[] = []
  const parser = new SseParser((name, value) => packets.push({ name: name === '' ? 'comment' : name, value: Buffer.from(value.buffer, value.byteOffset, value.length).toString() }))
  let ns = 0
  let first = true
  const onEvent = () => {
    if (!first) text.byte(44)
    first = false
    text.ascii('{"perf_ns":')
    text.integer(Math.round(ns))
    text.ascii(',"packets":[')
    for (const [i, { name, value }] of packets.entries()) {
      text.ascii(i === 0 ? '{"name":' : ',{"name":')
      text.string(name)
      text.ascii(',"value":')
      text.string(value)
      text.byte(125)
    }
    text.ascii(']}')
    packets = []
  }
  for (const read of reads) {
    ns = read.ns
    parser.push(read.bytes, onEvent)
  }
  parser.end(onEvent)
}

function writeBody(text: ByteText, reads: RawExchange['reads'], contentType: string): void {
  const body = Buffer.concat(reads.map((read) => read.bytes))
  text.ascii('{"perf_ns":')
  text.integer(Math.round(reads.at(-1)!.ns))
  if (isText(contentType)) {
    text.ascii(',"text":')
    text.string(body.toString())
  } else {
    text.ascii(',"base64":"')
    text.bytes(Buffer.from(body.toString('base64')))
    text.byte(34)
  }
  if (contentType !== '') {
    text.ascii(',"content_type":')
    text.string(contentType.split(';')[0]!.trim())
  }
  text.byte(125)
}

function isText(contentType: string): boolean {
  return contentType === '' || /^(text\/|application\/(.*[+/.])?(json|ndjson|x-ndjson|xml|javascript|x-www-form-urlencoded))/.test(contentType)
}

function headerValue(headers: Readonly<Record<string, string>>, name: string): string {
  for (const [key, value] of Object.entries(headers)) if (key.toLowerCase() === name) return value
  return ''
}
