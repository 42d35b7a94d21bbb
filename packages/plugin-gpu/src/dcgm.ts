import { readFile } from 'node:fs/promises'
import { AiperfError, defineTelemetrySource, type OptionsSchema, type PolledTarget, type TelemetryContext, type TelemetrySeries, type TelemetryValue } from '@aiperf/core'
import { Getter, inCompany, withoutCredentials } from '@aiperf/exposition/get'
import { ExpositionReader } from '@aiperf/exposition/read'
import { DCGM_FIELDS, isBlank, readFieldFile, type DcgmField } from './dcgm/fields.js'
import { gpuOf } from './dcgm/labels.js'
import { readItems } from './gpu/items.js'
import { judgeGpus } from './gpu/judge.js'
import { liveGpus } from './gpu/live.js'
import type { GpuOptions } from './gpu/options.js'
import { gpuSeries, gpuSubject } from './gpu/series.js'

interface Options extends GpuOptions {
  defaultUrls: string[]
}
type Context = TelemetryContext<Options>

/** GPUs by NVIDIA's DCGM exporter (https://github.com/NVIDIA/dcgm-exporter). */
export default defineTelemetrySource<OptionsSchema<Options>>({
  judge: judgeGpus,
  create(context: Context) {
    const getter = new Getter(context.tls)
    return {
      live: liveGpus,
      async discover(signal) {
        const { urls, files, names } = readItems(context.options.items)
        const fields = await fieldsOf(files, context)
        // Local sampling takes the place of the exporter, unless an exporter was named too.
        const tries = names.some((name) => name !== 'dcgm') ? [] : context.options.defaultUrls.filter((url) => !urls.includes(url))
        const wanted = [...urls.map((url) => ({ url, asked: true })), ...tries.map((url) => ({ url, asked: false }))]
        const targets = await inCompany(wanted.map(({ url, asked }) => (at) => open(getter, url, asked, fields, context, at)), ({ absent }) => absent === undefined, signal)
        const found = targets.filter((target) => target.asked || target.absent === undefined)
        for (const { name, asked, absent } of targets) if (asked && absent !== undefined) context.log('warn', `No GPU telemetry from ${name}: ${absent}. It is tried again.`)
        if (files.length > 0 && found.length === 0) context.log('warn', `No DCGM exporter answers, so the fields of ${files.join(', ')} are not sampled.`)
        return found
      },
      async stop() {
        getter.close()
      },
    }
  },
})

async function fieldsOf(files: readonly string[], { log }: Context): Promise<ReadonlyMap<string, DcgmField>> {
  const fields = new Map(DCGM_FIELDS)
  for (const file of files) {
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch (cause) {
      throw new AiperfError('E_INPUT_FILE', `The file of GPU metrics ${file} cannot be read: ${(cause as Error).message}`, { hint: 'Give the path of an existing CSV file with --gpu-telemetry.', cause })
    }
    for (const [name, field] of readFieldFile(text, (line, reason) => log('warn', `${file}, line ${line}: ${reason}`))) fields.set(name, field)
  }
  return fields
}

async function open(getter: Getter, url: string, asked: boolean, fields: ReadonlyMap<string, DcgmField>, { now, options }: Context, signal: AbortSignal): Promise<PolledTarget> {
  const scales = new Map<TelemetrySeries, number>()
  const subjects = new Map<string, ReturnType<typeof gpuSubject>>()
  const reader = new ExpositionReader<TelemetrySeries>(({ name, labels }) => {
    const field = fields.get(name)
    const gpu = field && gpuOf(labels)
    if (!field || !gpu) return undefined
    const subject = gpuSubject(gpu)
    const key = JSON.stringify(subject)
    if (!subjects.has(key)) subjects.set(key, subject)
    const series = gpuSeries(subjects.get(key)!, field.metric)
    scales.set(series, field.scale)
    return series
  })
  const timeoutMs = options.reachabilitySeconds * 1000
  const sample: PolledTarget['sample'] = async (at) => {
    const { status, body, complete, askedNs, firstByteNs } = await getter.get(url, { signal: at, now })
    if (status !== 200) throw new Error(`HTTP status ${status}`)
    const { values, lines } = reader.read(body.toString(), { complete })
    if (lines === 0) throw new Error('the answer is no Prometheus text')
    const scaled = values.flatMap((v): TelemetryValue[] => ('value' in v && !isBlank(v.value) ? [{ series: v.series, value: v.value * scales.get(v.series)! }] : []))
    if (scaled.length === 0) throw new Error('the answer holds no DCGM field of a GPU')
    // The figures held at some moment between question and answer; energy is a matter of milliseconds.
    return { ns: (askedNs + firstByteNs) / 2, askedNs, values: scaled }
  }
  const base = { name: withoutCredentials(url), asked, intervalMs: options.intervalSeconds * 1000, timeoutMs, sample }
  try {
    await sample(AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]))
    return base
  } catch (error) {
    return { ...base, absent: ((signal.aborted ? signal.reason : error) as Error).message || (error as NodeJS.ErrnoException).code || 'no answer' }
  }
}
