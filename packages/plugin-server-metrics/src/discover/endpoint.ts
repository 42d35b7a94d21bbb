import type { PolledTarget, TelemetrySample, TelemetrySeries } from '@aiperf/core'
import { withoutCredentials, type Getter, type GetResult } from '@aiperf/exposition/get'
import { ExpositionReader } from '@aiperf/exposition/read'
import { describe } from '../series/describe.js'
import { besideJson, type Wanted } from './candidates.js'

export interface EndpointContext {
  getter: Getter
  headersFor(address: string): Record<string, string>
  now(): number
  log(level: 'debug' | 'info' | 'warn', message: string): void
  intervalMs: number
  timeoutMs: number
  reachabilityMs: number
}

/** Looks for the first of the places that shows metrics, and makes it a target; one that is absent stays with its reason. */
export async function openEndpoint(wanted: Wanted, context: EndpointContext, signal: AbortSignal): Promise<PolledTarget> {
  const scrape = new Scrape(wanted.urls, context)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(context.reachabilityMs))])
  const target = (absent?: string): PolledTarget => ({
    name: withoutCredentials(scrape.address ?? wanted.first),
    asked: wanted.asked,
    intervalMs: context.intervalMs,
    timeoutMs: context.timeoutMs,
    sample: (at) => scrape.sample(at),
    ...(absent === undefined ? {} : { absent }),
  })
  try {
    await scrape.sample(limit)
    return target()
  } catch (error) {
    return target(limit.aborted && !signal.aborted ? `no answer within ${context.reachabilityMs / 1000} s` : reasonOf(signal.aborted ? signal.reason : error))
  }
}

const reasonOf = (error: unknown): string => (error as Error).message || (error as NodeJS.ErrnoException).code || 'no answer'

/** Scrapes one endpoint; until it has answered once, every place where it may be is tried. */
class Scrape {
  /** Where it was found. */
  address: string | undefined
  readonly #places: readonly string[]
  readonly #context: EndpointContext
  readonly #reader = new ExpositionReader<TelemetrySeries>(describe)
  #told = false

  constructor(places: readonly string[], context: EndpointContext) {
    this.#places = places
    this.#context = context
  }

  async sample(signal: AbortSignal): Promise<TelemetrySample> {
    if (this.address !== undefined) return this.#read(await this.#get(this.address, signal))
    let first: unknown
    for (const place of this.#places) {
      try {
        return await this.#tryPlace(place, signal)
      } catch (error) {
        first ??= error
        if (signal.aborted) break
      }
    }
    throw first
  }

  async #tryPlace(place: string, signal: AbortSignal): Promise<TelemetrySample> {
    let address = place
    let answer = await this.#get(address, signal)
    const beside = isJson(answer) ? besideJson(place) : undefined
    if (beside !== undefined) answer = await this.#get((address = beside), signal)
    const sample = this.#read(answer)
    this.address = address
    return sample
  }

  #get(address: string, signal: AbortSignal): Promise<GetResult> {
    const { getter, headersFor, now } = this.#context
    return getter.get(address, { signal, now, headers: headersFor(address) })
  }

  #read({ status, contentType, body, complete, askedNs, firstByteNs }: GetResult): TelemetrySample {
    if (status === 401 || status === 403) throw new Error(`HTTP status ${status}: it wants other credentials (--server-metrics-header)`)
    if (status !== 200) throw new Error(`HTTP status ${status}`)
    if (isJson({ contentType, body })) throw new Error('the answer is JSON, not Prometheus text')
    const { values, lines, malformed, firstProblem, truncated, leftOut } = this.#reader.read(body.toString(), { complete, openMetrics: contentType === 'application/openmetrics-text' })
    if (lines === 0) throw new Error(malformed > 0 || /^\s*</.test(body.subarray(0, 100).toString()) ? 'the answer is no Prometheus text' : 'the answer holds no metrics')
    if (!this.#told && (malformed > 0 || truncated || leftOut > 0)) {
      this.#told = true
      const faults = [malformed > 0 ? `${malformed} lines cannot be read (${firstProblem})` : '', truncated ? 'the text is cut' : '', leftOut > 0 ? `${leftOut} series beyond the limit are left out` : '']
      this.#context.log('warn', `${withoutCredentials(this.address ?? this.#places[0]!)}: ${faults.filter((fault) => fault !== '').join('; ')}`)
    }
    return { ns: firstByteNs, askedNs, values }
  }
}

const isJson = ({ contentType, body }: Pick<GetResult, 'contentType' | 'body'>): boolean => contentType === 'application/json' || /^\s*\[|^\s*\{\s*(?:"[^"]*"\s*:|\})/.test(body.subarray(0, 200).toString())
