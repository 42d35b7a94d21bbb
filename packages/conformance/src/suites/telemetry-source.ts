import type { TelemetryContext, TelemetrySample, TelemetrySeries, TelemetrySource, TelemetryTarget } from '@aiperf/core'
import type { TelemetryCase } from '../cases.js'
import { ensure, group, shown, within, type Group } from '../checks.js'
import type { Subject } from '../subject.js'

const WAIT_MS = 5000
const TYPES = ['gauge', 'counter', 'histogram', 'info', 'unknown']

export function telemetrySourceSuite(subject: Subject<'telemetry_source'>, given: TelemetryCase): Group[] {
  const zero = performance.now()
  const now = () => Math.round((performance.now() - zero) * 1e6)

  /** A source beside what it measures, for one check. */
  const meet = (check: (source: TelemetrySource, signal: AbortController) => Promise<void>) => async () => {
    const peer = await given.serve?.()
    const abort = new AbortController()
    const context: TelemetryContext<never> = {
      options: subject.options({ ...given.options, ...peer?.options }) as never, urls: peer?.urls ?? ['http://127.0.0.1:9'], headers: {}, tls: { verify: true }, now, log: () => {},
    }
    const source = await subject.create(context)
    try {
      await check(source, abort)
    } finally {
      abort.abort()
      await within(WAIT_MS, 'stop', source.stop?.())
      await peer?.close()
    }
  }
  const discover = async (source: TelemetrySource, { signal }: AbortController) => {
    const targets = await within(WAIT_MS, 'discover', source.discover(signal))
    ensure(Array.isArray(targets), `discover returned ${shown(targets)}, expected a list`)
    return targets as readonly TelemetryTarget[]
  }
  /** One sample of each target that can be had now. */
  const sampleAll = async (targets: readonly TelemetryTarget[], abort: AbortController): Promise<{ target: TelemetryTarget; sample: TelemetrySample }[]> =>
    Promise.all(targets.filter((t) => t.absent === undefined).map(async (target) => ({ target, sample: await within(WAIT_MS, `a sample of ${target.name}`, 'sample' in target ? target.sample(abort.signal) : followed(target.follow, abort)) })))

  const groups = [
    group('discovery', {
      'finds targets that can be told apart': meet(async (source, abort) => {
        const targets = await discover(source, abort)
        ensure(new Set(targets.map((t) => t.name)).size === targets.length, `targets share a name: ${shown(targets.map((t) => t.name))}`)
        for (const target of targets) {
          ensure('sample' in target || 'follow' in target, `the target ${target.name} has neither sample nor follow`)
          ensure(target.intervalMs > 0, `the target ${target.name} has the interval ${shown(target.intervalMs)}`)
          ensure(!/\/\/[^/\s]*:[^/\s]*@/.test(target.name), `the target's name ${target.name} shows a password`)
          await target.stop?.()
        }
        if (given.serve) ensure(targets.some((t) => t.absent === undefined), `nothing that can be sampled was found: ${shown(targets.map((t) => t.absent))}`)
      }),
      'ends when it is told to': async () => {
        await meet(async (source, abort) => {
          setTimeout(() => abort.abort(), 20)
          await within(WAIT_MS, 'discover after its signal fired', source.discover(abort.signal).then(() => {}, () => {}))
        })()
      },
      'nothing there is an empty list or an absent target, no error': async () => {
        const source = await subject.create({ options: subject.options(given.options) as never, urls: ['http://127.0.0.1:9'], headers: {}, tls: { verify: true }, now, log: () => {} })
        const abort = new AbortController()
        const targets = await discover(source, abort)
        abort.abort()
        for (const target of targets) await target.stop?.()
        await within(WAIT_MS, 'stop', source.stop?.())
      },
    }),
  ]
  if (given.serve)
    groups.push(
      group('samples', {
        'hold values of described series': meet(async (source, abort) => {
          const targets = await discover(source, abort)
          const before = now()
          for (const { target, sample } of await sampleAll(targets, abort)) {
            ensure(Number.isFinite(sample.ns) && sample.ns >= before - 60e9 && sample.ns <= now() + 1e6, `${target.name}: a sample has the time ${sample.ns}, now is ${now()}: take it from context.now()`)
            ensure(sample.values.length > 0, `${target.name}: a sample without values`)
            const keys = new Set<string>()
            for (const value of sample.values) {
              const fault = seriesFault(value.series)
              ensure(!fault, () => `${target.name}: the series ${shown(value.series?.name)} ${fault}`)
              const key = JSON.stringify([value.series.name, value.series.labels, value.series.subject?.kind, value.series.subject?.id])
              ensure(!keys.has(key), `${target.name}: two values of the series ${key} in one sample`)
              keys.add(key)
              if ('buckets' in value) ensure(value.series.type === 'histogram' && value.buckets.length === value.series.bounds?.length, `${target.name}: ${value.series.name} has ${value.buckets.length} buckets and ${value.series.bounds?.length} bounds`)
              else ensure(typeof value.value === 'number', `${target.name}: ${value.series.name} is ${shown(value.value)}`)
            }
          }
        }),
        'name the same series by the same object': meet(async (source, abort) => {
          const targets = await discover(source, abort)
          const [first, second] = [await sampleAll(targets, abort), await sampleAll(targets, abort)]
          const known = new Set(first.flatMap(({ sample }) => sample.values.map((v) => v.series)))
          const made = second.flatMap(({ sample }) => sample.values).filter((v) => !known.has(v.series))
          ensure(made.length === 0 || made.length < known.size, 'every sample comes with new series objects: keep one per series and hand it in again')
        }),
        ...(given.series
          ? {
              'the expected series are there': meet(async (source, abort) => {
                const names = new Set((await sampleAll(await discover(source, abort), abort)).flatMap(({ sample }) => sample.values.map((v) => v.series.name)))
                for (const name of given.series!) ensure(names.has(name), `the series ${name} is missing; there are ${[...names].slice(0, 20).join(', ')}`)
              }),
            }
          : {}),
        'a sample that is not wanted any more ends': meet(async (source, abort) => {
          const targets = (await discover(source, abort)).filter((t) => t.absent === undefined)
          const pending = targets.map((target) => ('sample' in target ? target.sample(abort.signal) : target.follow(() => {}, abort.signal)).then(() => {}, () => {}))
          abort.abort()
          await within(WAIT_MS, 'a sample after its signal fired', Promise.all(pending))
        }),
        'readings become lines': meet(async (source, abort) => {
          const sampled = await sampleAll(await discover(source, abort), abort)
          const readings = sampled.flatMap(({ target, sample }) => sample.values.flatMap((v) => ('value' in v ? [{ target: target.name, series: v.series, value: v.value }] : [])))
          for (const given of [readings, []])
            for (const line of source.live?.(given) ?? []) ensure(typeof line.label === 'string' && typeof line.value === 'string', `live gave the line ${shown(line)}`)
        }),
      }),
    )
  return groups
}

async function followed(follow: (push: (sample: TelemetrySample) => void, signal: AbortSignal) => Promise<void>, { signal }: AbortController): Promise<TelemetrySample> {
  const own = new AbortController()
  signal.addEventListener('abort', () => own.abort(), { once: true })
  return new Promise((resolve, reject) => {
    const running = follow((sample) => {
      resolve(sample)
      own.abort()
    }, own.signal)
    running.then(() => reject(new Error('follow ended before it pushed a sample')), reject)
  })
}

function seriesFault(series: TelemetrySeries | undefined): string | undefined {
  if (!series || typeof series.name !== 'string' || series.name === '') return 'has no name'
  if (!TYPES.includes(series.type)) return `is of the type ${shown(series.type)}`
  if (typeof series.unit !== 'string' || typeof series.description !== 'string') return 'needs unit and description (texts, possibly empty)'
  if (typeof series.labels !== 'object' || series.labels === null || !Object.values(series.labels).every((v) => typeof v === 'string')) return `has the labels ${shown(series.labels)}`
  if (series.type === 'histogram' && series.bounds?.at(-1) !== Infinity) return 'is a histogram whose last bound is not Infinity'
  return undefined
}
