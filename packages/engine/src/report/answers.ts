import type { RunModel } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import { endpointContext } from '../control/endpoint.js'
import { ResponseReader } from '../decode/response.js'
import type { RawReader } from './raw.js'

/** What was said to a request. */
export interface AnswerText {
  ordinal: number
  reasoning: string
  /** Content, then the text of tool calls. */
  text: string
}

/** The texts of the answers that were kept, in order of dispatch. */
export async function* answerTexts(raw: RawReader, host: Host, model: RunModel): AsyncGenerator<AnswerText> {
  const endpoint = await host.activate('endpoint', model.endpoint.type, endpointContext(model))
  const reader = new ResponseReader(endpoint, { keepText: true })
  for (const { ordinal, responseHeaders, reads } of raw.exchanges()) {
    const type = Object.entries(responseHeaders).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
    reader.begin(model.endpoint.streaming)
    reader.head(200, type.split(';', 1)[0]!.trim().toLowerCase(), 0)
    for (const { ns, bytes } of reads) reader.bytes(bytes, ns)
    reader.end(0)
    yield { ordinal, reasoning: reader.reasoning, text: reader.text + reader.toolText }
  }
}
