import type { Conversational, EncodeInput, Endpoint, EndpointContext, Json, JsonObject, Turn, WireRequest } from '@aiperf/core'
import type { Answer, EndpointCase } from '../cases.js'
import { broken, ensure, group, shown, type Group } from '../checks.js'
import { deltasFault, hasTokens, textIn, toolText } from '../deltas.js'
import { heapInUse } from '../memory.js'
import { frozen, pure } from '../pure.js'
import { damaged, rubbishFrames } from '../sample/damage.js'
import { decode, frameOf, framesOf } from '../sample/frames.js'
import { mediaTurn, textTurn, UNICODE } from '../sample/turns.js'
import type { Subject } from '../subject.js'

/** Decoding must not gather more than this per frame, bytes. */
const BYTES_PER_FRAME = 200
const FRAMES = 5000

export function endpointSuite(subject: Subject<'endpoint'>, given: EndpointCase): Group[] {
  const { meta } = subject
  const answers = given.answers ?? []
  const context = (change: Partial<EndpointContext> = {}): EndpointContext =>
    frozen({ options: subject.options(given.options), streaming: false, models: ['first-model'], extraInputs: {}, useLegacyMaxTokens: false, useServerTokenCount: false, perChunkUsage: false, ...given.context, ...change })
  const make = (change?: Partial<EndpointContext>): Promise<Endpoint> => subject.create(context(change))
  const turn = (change: Partial<Turn> = {}): Turn => ({ ...(given.turn ?? textTurn('Say hello.')), ...change })
  const encode = (endpoint: Endpoint, turns: Turn[], change: Partial<EncodeInput> = {}): WireRequest =>
    pure('encode', () => endpoint.encode(frozen({ turns, replies: turns.map(() => undefined), session: {}, ...change })))

  const groups = [
    group('requests', {
      'a turn becomes a request that can be sent': async () => {
        const request = encode(await make(), [turn()])
        const fault = requestFault(request)
        ensure(!fault, `encode ${fault}`)
      },
      'the same turn becomes the same bytes': async () => {
        const endpoint = await make()
        const [one, two] = [encode(endpoint, [turn()]), encode(endpoint, [turn()])]
        const boundary = (request: WireRequest) => request.contentType.match(/boundary="?([^";]+)/)?.[1] ?? '\0'
        const text = (request: WireRequest) => Buffer.from(request.body).toString('latin1').replaceAll(boundary(request), '')
        ensure(text(one) === text(two), `encode gave two different bodies for one turn: ${shown(text(one))} and ${shown(text(two))}`)
      },
      ...(given.turn === undefined && meta['tokenizesInput'] === true
        ? {
            'every character of the text arrives': async () => {
              const request = encode(await make(), [textTurn(UNICODE)])
              ensure(holds(request, UNICODE), `the text ${shown(UNICODE)} is not in the body ${shown(bodyText(request))}`)
            },
          }
        : {}),
      'extra inputs are in the body': async () => {
        const request = encode(await make({ extraInputs: { conformance_extra: 'extra-7' } }), [turn()])
        ensure(holds(request, 'extra-7'), `--extra-inputs conformance_extra:extra-7 is not in the body ${shown(bodyText(request))}: merge context.extraInputs over the body's own fields`)
      },
    }),
    ...(meta['streams'] === true
      ? [
          group('streaming', {
            'a streaming request asks for a stream': async () => {
              const [plain, streaming] = [encode(await make(), [turn()]), encode(await make({ streaming: true }), [turn()])]
              const differs = plain.accept !== streaming.accept || plain.path !== streaming.path || bodyText(plain) !== bodyText(streaming)
              ensure(differs || meta['streamingPath'] !== undefined, 'the manifest says "streams": true, but the request is the same with and without streaming: nothing tells the server')
            },
          }),
        ]
      : []),
    ...strings(meta['media']).map((kind) =>
      group(`input: ${kind}`, {
        'what the turn holds is in the body': async () => {
          const { media, needle } = mediaTurn(kind)
          const request = encode(await make(), [{ ...turn(), ...media }])
          const found = Buffer.from(request.body).includes(Buffer.from(needle, 'base64')) || bodyText(request).includes(needle.slice(0, 24))
          ensure(found, `the manifest lists ${kind} under "media", but the ${kind} of the turn is not in the body`)
        },
      }),
    ),
    ...(meta['consumesSystemMessage'] === true
      ? [
          group('system message', {
            'it is in the body, once': async () => {
              const request = encode(await make(), [turn()], { session: { system: 'system-4711' } })
              const times = bodyText(request).split('system-4711').length - 1
              ensure(times === 1, `the manifest says "consumesSystemMessage", and session.system is ${times} times in the body`)
            },
          }),
        ]
      : []),
    group('what a server tokenizes', {
      'the texts of a body are found in it': async () => {
        const endpoint = await make()
        const request = encode(endpoint, [turn()])
        const body = json(request)
        if (body === undefined) return
        const texts = pure('inputTexts', () => endpoint.inputTexts(frozen(body)))
        ensure(Array.isArray(texts) && texts.every((text) => typeof text === 'string'), `inputTexts returned ${shown(texts)}, expected a list of strings`)
        const wanted = given.turn ? (given.turn.texts ?? []).flatMap((item) => item.contents) : ['Say hello.']
        if (meta['tokenizesInput'] === true && wanted.length > 0) ensure(wanted.some((text) => texts.some((found) => found.includes(text))), `the manifest says "tokenizesInput", but inputTexts finds ${shown(texts)} where the turn says ${shown(wanted)}`)
        if (meta['tokenizesInput'] === false) ensure(texts.length === 0, `the manifest says "tokenizesInput": false, but inputTexts finds ${shown(texts)}`)
      },
    }),
    ...answers.map((answer) => goldenGroup(answer, make, meta)),
    malformedGroup(answers, make),
    group('memory', {
      'a decoder does not keep what it has read': async () => {
        const endpoint = await make({ streaming: true })
        const frames = (answers[0] ? framesOf(answers[0]) : rubbishFrames([]).slice(0, 40)).filter((frame) => frame.data.length < 1000)
        // All but the last: that one may be the end, after which a decoder reads no more.
        const repeated = frames.length > 1 ? frames.slice(0, -1) : frames
        const reader = endpoint.decoder()
        const push = (count: number) => {
          for (let i = 0; i < count; i++) reader.push(frameOf(repeated[i % repeated.length]!))
        }
        push(500)
        const before = heapInUse()
        push(FRAMES)
        const grown = heapInUse() - before
        reader.end()
        ensure(grown < FRAMES * BYTES_PER_FRAME, `${FRAMES} frames left ${Math.round(grown / 1024)} KiB on the heap: a response of any length must cost the same`)
      },
    }),
  ]
  return [...groups, ...capabilityGroups(meta, answers, make, encode, turn)]
}

function capabilityGroups(meta: JsonObject, answers: readonly Answer[], make: (change?: Partial<EndpointContext>) => Promise<Endpoint>, encode: (endpoint: Endpoint, turns: Turn[], change?: Partial<EncodeInput>) => WireRequest, turn: (change?: Partial<Turn>) => Turn): Group[] {
  const spoken = answers.find((answer) => answer.expect.text !== undefined && answer.expect.text !== '' && (answer.status ?? 200) < 300)
  return [
    group('capabilities', {
      'polling is declared exactly when it is there': async () => {
        const { polling } = await make()
        ensure((polling !== undefined) === (meta['polling'] === true), polling ? 'the endpoint polls, but its manifest does not say "polling": true' : 'the manifest says "polling", but the endpoint has none')
        if (!polling) return
        ensure(Number.isFinite(polling.intervalMs) && polling.intervalMs >= 0, `polling.intervalMs is ${shown(polling.intervalMs)}`)
        for (const body of [null, {}, [], 'x', 5, { status: 5 }, { id: null }] as Json[]) {
          const step = polling.next(body)
          ensure(['wait', 'done', 'failed'].includes(step?.kind), `polling.next(${shown(body)}) returned ${shown(step)}`)
        }
      },
      ...(spoken
        ? {
            'a reply goes back into the conversation': async () => {
              const endpoint = await make()
              const { conversational } = endpoint
              if (!conversational) return
              const reply = conversational.reply(decode(endpoint, framesOf(spoken)))
              ensure(reply !== undefined, 'conversational.reply made nothing of an answer with text')
              const request = encode(endpoint, [turn(), textTurn('And then?')], { replies: [reply.message, undefined], ...(reply.id === undefined ? {} : { previousId: reply.id }) })
              const text = bodyText(request)
              const inBody = text.includes(JSON.stringify(spoken.expect.text).slice(1, -1)) || (reply.id !== undefined && text.includes(reply.id))
              ensure(inBody && text.includes('And then?'), `the next request holds neither the reply nor its id: ${shown(text)}`)
            },
          }
        : {}),
      'a reply of nothing is no error': async () => {
        const { conversational } = await make()
        const reply: ReturnType<Conversational['reply']> | undefined = conversational?.reply([])
        ensure(reply === undefined || typeof reply === 'object', `conversational.reply([]) returned ${shown(reply)}`)
      },
    }),
  ]
}

function goldenGroup(answer: Answer, make: (change?: Partial<EndpointContext>) => Promise<Endpoint>, meta: JsonObject): Group {
  const streamed = answer.framing !== 'body'
  return group(`answer: ${answer.title}`, {
    'means what it should': async () => {
      const endpoint = await make({ streaming: streamed })
      const deltas = pure('the decoder', () => decode(endpoint, framesOf(answer)))
      const fault = deltasFault(deltas)
      ensure(!fault, `the decoder ${fault}`)
      const { expect } = answer
      const equal = (what: string, expected: unknown, actual: unknown) => ensure(expected === undefined || same(expected, actual), () => `${what}: expected ${shown(expected)}, got ${shown(actual)}`)
      equal('text', expect.text, textIn(deltas, 'text'))
      equal('reasoning', expect.reasoning, textIn(deltas, 'reasoning'))
      equal('tool text', expect.tool, toolText(deltas))
      equal('finish reason', expect.finish, deltas.findLast((d) => d.kind === 'finish')?.reason)
      equal('usage', expect.usage, deltas.findLast((d) => d.kind === 'usage')?.usage)
      equal('the end of the protocol', expect.done, deltas.some((d) => d.kind === 'done'))
      equal('content', expect.data, deltas.reduce((sum, d) => sum + (d.kind === 'data' ? d.count : 0), 0))
      equal('deltas', expect.deltas, deltas)
      if (expect.error !== undefined) {
        const message = deltas.find((d) => d.kind === 'error')?.message ?? deltas.find((d) => d.kind === 'malformed')?.reason
        ensure(message?.includes(expect.error), `error: expected one that holds ${shown(expect.error)}, got ${shown(message)}`)
      }
      if (meta['producesTokens'] === false) ensure(!hasTokens(deltas), 'the manifest says "producesTokens": false, but the answer holds text')
      if (streamed && (answer.status ?? 200) < 300) ensure(meta['streams'] === true, 'the answer is a stream, but the manifest does not say "streams": true')
    },
    'decoders do not share anything': async () => {
      const endpoint = await make({ streaming: streamed })
      const frames = framesOf(answer)
      const alone = decode(endpoint, frames)
      const readers = [endpoint.decoder(), endpoint.decoder()]
      const seen = readers.map((): unknown[] => [])
      for (const frame of frames) readers.forEach((reader, i) => seen[i]!.push(...structuredClone(reader.push(frameOf(frame)))))
      readers.forEach((reader, i) => seen[i]!.push(...structuredClone(reader.end())))
      for (const deltas of seen) ensure(same(alone, deltas), 'two answers read at the same time got in each other\'s way')
    },
  })
}

function malformedGroup(answers: readonly Answer[], make: (change?: Partial<EndpointContext>) => Promise<Endpoint>): Group {
  const attempt = (endpoint: Endpoint, frames: Parameters<typeof decode>[1], what: () => string) => {
    try {
      const fault = deltasFault(decode(endpoint, frames))
      if (fault) broken(`${what()}: the decoder ${fault}`)
    } catch (error) {
      if ((error as Error).name === 'AssertionError') throw error
      broken(`${what()}: the decoder threw "${(error as Error).message}"; it must return a malformed or error delta instead`)
    }
  }
  return group('malformed answers', {
    'rubbish is told, never thrown': async () => {
      const endpoint = await make({ streaming: true })
      for (const frame of rubbishFrames(answers.flatMap(framesOf))) attempt(endpoint, [frame], () => `a frame (${frame.framing}, event ${shown(frame.event)}) of ${shown(new TextDecoder().decode(frame.data))}`)
      ensure(!('polluted' in {}), 'an answer changed Object.prototype')
    },
    ...(answers.length > 0
      ? {
          'a good answer with one part damaged is read on': async () => {
            const endpoint = await make({ streaming: true })
            for (const answer of answers) for (const frames of damaged(framesOf(answer))) attempt(endpoint, frames, () => `"${answer.title}" with a damaged frame ${shown(frames.map((f) => new TextDecoder().decode(f.data)).join(' | '))}`)
          },
          'an answer that breaks off is no error of the decoder': async () => {
            const endpoint = await make({ streaming: true })
            for (const answer of answers) for (let count = 0; count < Math.min(50, framesOf(answer).length); count++) attempt(endpoint, framesOf(answer).slice(0, count), () => `"${answer.title}" after ${count} frames`)
          },
        }
      : {}),
  })
}

function requestFault(request: WireRequest): string | undefined {
  const { method, body, contentType, accept, headers, path } = request ?? {}
  if (method !== 'POST' && method !== 'GET') return `gave the method ${shown(method)}`
  if (!(ArrayBuffer.isView(body) && (body as Uint8Array).BYTES_PER_ELEMENT === 1)) return `gave a body that is no Uint8Array: ${shown(body)}`
  if (typeof contentType !== 'string' || !/^[\w.+-]+\/[\w.+-]+/.test(contentType)) return `gave the content type ${shown(contentType)}`
  if (typeof accept !== 'string' || accept === '') return `gave no accept: ${shown(accept)}`
  if (path !== undefined && !/^\/\S*$/.test(path)) return `gave the path ${shown(path)}`
  for (const [name, value] of Object.entries(headers ?? {})) if (typeof value !== 'string' || /[\r\n]/.test(name + value)) return `gave the header ${shown(name)}: ${shown(value)}`
  if (/\bjson\b/.test(contentType) && json(request) === undefined) return `says ${contentType}, but its body is no JSON: ${shown(bodyText(request))}`
  return undefined
}

const bodyText = (request: WireRequest): string => Buffer.from(request.body).toString('utf8')
function json(request: WireRequest): Json | undefined {
  try {
    return JSON.parse(bodyText(request)) as Json
  } catch {
    return undefined
  }
}
/** Whether a text is in the body, as it is or as JSON writes it. */
function holds(request: WireRequest, text: string): boolean {
  const value = json(request)
  return value === undefined ? bodyText(request).includes(text) : anyText(value, (item) => item.includes(text))
}
function anyText(value: Json, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((item) => anyText(item as Json, test))
}
const strings = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [])
const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]))
}
