import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it as base } from 'vitest'
import type { PluginIndex } from '@aiperf/core/host'
import { readTelemetry, selectSources, startTelemetry, type SelectedSource, type Telemetry } from '../dist/telemetry/index.js'
import { takeOrigin } from '../dist/shared/clock.js'

/** A folder of its own for each test, so that they can wait side by side. */
interface Lab {
  folder: string
  started: Telemetry[]
}
const it = base.extend<{ lab: Lab }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameter list
  lab: async ({}, use) => {
    const lab: Lab = { folder: mkdtempSync(join(tmpdir(), 'telemetry-')), started: [] }
    await use(lab)
    await Promise.all(lab.started.map((t) => t.stop()))
    rmSync(lab.folder, { recursive: true, force: true })
  },
})

const GAUGE = `const power = { name: 'psu_power', type: 'gauge', unit: 'W', description: 'Power', labels: {}, header: 'Power', subject: { kind: 'psu', id: '0', name: 'Rack' } }`

/** Sources made up on the spot: name to the body of `create`, which sees `options` and `now`. */
function sources(lab: Lab, bodies: Record<string, string>, meta: object = {}): { index: PluginIndex; selected: SelectedSource[] } {
  const contributions = Object.entries(bodies).map(([name, body]) => {
    const entry = join(lab.folder, `${name}.mjs`)
    writeFileSync(entry, `export default { kind: 'telemetry_source', api: 1, create: ({ options, now, log }) => { ${GAUGE}\n${body} } }`)
    return { kind: 'telemetry_source' as const, name, package: '@acme/psu', version: '1.0.0', entry, api: 1, meta: { description: 'x', title: 'Rack power', ...meta } }
  })
  return { index: { packages: [], contributions }, selected: Object.keys(bodies).map((name) => ({ name, options: {}, asked: true })) }
}

function start(lab: Lab, of: { index: PluginIndex; selected: SelectedSource[] }, more: Partial<Parameters<typeof startTelemetry>[0]> = {}) {
  const said: string[] = []
  const origin = takeOrigin()
  const telemetry = startTelemetry({
    index: of.index, origin, journal: lab.folder, sources: of.selected, urls: [], headers: {},
    log: (level, message) => void said.push(`${level}: ${message}`), ...more,
  })
  lab.started.push(telemetry)
  const now = (): number => Number(process.hrtime.bigint() - origin.originNs)
  return { telemetry, said, now, folder: lab.folder }
}
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs one phase of `ms`, and until what a busy machine may be late with has happened; gives what was stored, with its window. */
async function phase(of: ReturnType<typeof start>, ms: number, until: () => boolean = () => true) {
  await of.telemetry.ready
  await of.telemetry.border('start', 0)
  const startNs = of.now()
  do await wait(ms)
  while (!until())
  const endNs = of.now()
  await of.telemetry.border('end', 0)
  const borderMs = (of.now() - endNs) / 1e6
  await of.telemetry.stop()
  const stopMs = (of.now() - endNs) / 1e6 - borderMs
  return { results: readTelemetry(of.folder), window: { startNs, endNs, phase: 0 }, borderMs, stopMs }
}

describe.concurrent('a source in its thread', () => {
  it('is sampled on its own timer and at the borders, and read back from the file', async ({ lab }) => {
    const counting = `let n = 0
      const events = { name: 'events_total', type: 'counter', unit: '', description: '', labels: { a: 'b' } }
      return { discover: async () => [{ name: 'psu', asked: true, intervalMs: 20, sample: async () => ({ ns: now(), values: [{ series: power, value: 100 }, { series: events, value: n++ }] }) }] }`
    const run = start(lab, sources(lab, { psu: counting }), { live: () => {} })
    const { results, window } = await phase(run, 300)
    expect(results).toHaveLength(1)
    const [result] = results
    const [target] = result!.targets
    expect(target).toMatchObject({ name: 'psu', asked: true, reached: true, failures: 0 })
    expect(target!.samples).toBeGreaterThanOrEqual(3)
    expect(target!.samples).toBeLessThan(window.endNs / 20e6 + 10)
    const [power, events] = result!.summarise([window])
    expect(power!.gauge).toMatchObject({ avg: 100, min: 100, max: 100 })
    expect(power!.gauge!.coverage).toBeGreaterThan(0)
    // One more with every sample: from the sample at the start border to the one at the end.
    const samples = [...result!.samples()]
    const at = (border: string): number => samples.findIndex((s) => s.border?.at === border)
    expect(events!.counter).toMatchObject({ total: at('end') - at('start'), exact: true })
    expect(samples[at('start')]!.ns).toBeLessThanOrEqual(window.startNs)
    expect(samples[at('end')]!.ns).toBeGreaterThanOrEqual(window.endNs)
    expect(samples.map((s) => s.ns)).toEqual(samples.map((s) => s.ns).toSorted((a, b) => a - b))
    expect(samples.every((s) => s.values.length === 2)).toBe(true)
    const { ns, values } = result!.points(0)
    expect(ns).toHaveLength(samples.length)
    expect(values.every((v) => v === 100)).toBe(true)
  })

  it('may speak by itself, and is started again when it ends', async ({ lab }) => {
    const speaking = `let starts = 0
      return { discover: async () => [{ name: 'stream', asked: true, intervalMs: 20, async follow(push, signal) {
        starts++
        for (let i = 0; i < 8 && !signal.aborted; i++) { push({ ns: now(), values: [{ series: power, value: starts }] }); await new Promise((r) => setTimeout(r, 20)) }
        throw new Error('pipe closed')
      } }] }`
    const run = start(lab, sources(lab, { psu: speaking }))
    const { results, window } = await phase(run, 1100)
    const [target] = results[0]!.targets
    expect(target!.failures).toBeGreaterThanOrEqual(1)
    expect(target!.lastError).toBe('pipe closed')
    expect(results[0]!.summarise([window])[0]!.gauge).toMatchObject({ min: 1 })
    expect(results[0]!.summarise([window])[0]!.gauge!.max).toBeGreaterThanOrEqual(2)
    expect(run.said.filter((line) => line.includes('pipe closed'))).toHaveLength(1)
  })

  it('shows its readings live', async ({ lab }) => {
    const lines: { source: string; label: string; value: string }[][] = []
    const body = `let n = 0
      const events = { name: 'events', type: 'counter', unit: 'events', description: '', labels: {} }
      return { discover: async () => [{ name: 'psu', asked: true, intervalMs: 50, sample: async () => ({ ns: now(), values: [{ series: power, value: 123.456 }, { series: events, value: now() / 1e7 }] }) }] }`
    const run = start(lab, sources(lab, { psu: body }), { live: (now) => void lines.push(now) })
    await run.telemetry.ready
    await wait(2300)
    expect(lines.at(-1)).toEqual([
      { source: 'psu', label: 'psu 0 Power', value: '123 W' },
      { source: 'psu', label: 'events', value: '100 events/s' },
    ])
  })
})

describe.concurrent('a source that misbehaves', () => {
  const steady = `return { discover: async () => [{ name: 'steady', asked: true, intervalMs: 20, sample: async () => ({ ns: now(), values: [{ series: power, value: 7 }] }) }] }`
  const check = (of: Awaited<ReturnType<typeof phase>>): void => {
    const good = of.results.find((r) => r.source === 'steady')!
    expect(good.summarise([of.window])[0]!.gauge).toMatchObject({ avg: 7 })
    expect(good.targets[0]!.samples).toBeGreaterThanOrEqual(3)
    expect(good.targets[0]!.failures).toBe(0)
  }

  it('by hanging: the run does not wait for it twice, the others go on', async ({ lab }) => {
    const hanging = `return { discover: async () => [{ name: 'hangs', asked: true, intervalMs: 20, timeoutMs: 100, sample: () => new Promise(() => {}) }] }`
    const run = start(lab, sources(lab, { steady, hanging }))
    const result = await phase(run, 700)
    check(result)
    // The limit of a border is 1 s; a target that hangs is not waited for at all.
    expect(result.borderMs).toBeLessThan(1000)
    expect(result.stopMs).toBeLessThan(2500)
    const hung = result.results.find((r) => r.source === 'hanging')!
    expect(hung.targets[0]).toMatchObject({ reached: false, samples: 0 })
    expect(hung.targets[0]!.lastError).toContain('no answer within 0.1 s')
  })
  it('by dying on the way', async ({ lab }) => {
    const dying = `let n = 0
      return { discover: async () => [{ name: 'dies', asked: true, intervalMs: 10, sample: async () => { if (n++ > 5) throw new Error('connection refused'); return { ns: now(), values: [{ series: power, value: 3 }] } } }] }`
    const run = start(lab, sources(lab, { steady, dying }))
    const result = await phase(run, 500)
    check(result)
    const died = result.results.find((r) => r.source === 'dying')!
    expect(died.targets[0]).toMatchObject({ reached: true, samples: 6, lastError: 'connection refused' })
    expect(died.summarise([result.window])[0]!.gauge!.coverage).toBeLessThan(1)
    expect(run.said.filter((line) => line.includes('connection refused'))).toHaveLength(1)
  })
  it('by lying: no numbers, other times, nothing at all', async ({ lab }) => {
    const lying = `let n = 0
      const wrong = [() => undefined, () => ({ ns: NaN, values: [] }), () => ({ ns: now() + 1e12, values: [] }), () => ({ ns: 5, values: [{ series: power, value: 1 }] }),
        () => ({ ns: now(), values: [{ series: power, value: NaN }] }), () => ({ ns: now(), values: [{ series: { ...power, name: 'h', type: 'histogram', bounds: [1, Infinity] }, buckets: [5, 3], sum: 1, count: 3 }] })]
      return { discover: async () => [{ name: 'lies', asked: true, intervalMs: 5, sample: async () => wrong[n++ % wrong.length]() }] }`
    const run = start(lab, sources(lab, { steady, lying }))
    const result = await phase(run, 600)
    check(result)
    const lied = result.results.find((r) => r.source === 'lying')!
    expect(lied.targets[0]!.dropped['psu_power'] ?? 0).toBeGreaterThan(0)
    expect(lied.summarise([result.window]).filter((s) => s.histogram)).toEqual([])
  })
  it('by flooding: series beyond the limit are left out, and it is said', async ({ lab }) => {
    const flooding = `let n = 0
      return { discover: async () => [{ name: 'floods', asked: true, intervalMs: 20, sample: async () => ({ ns: now(), values: Array.from({ length: 400 }, () => ({ series: { ...power, name: 's' + n++ }, value: n })) }) }] }`
    const run = start(lab, sources(lab, { steady, flooding }), { limits: { maxSeries: 1000 } })
    const result = await phase(run, 400)
    check(result)
    expect(result.results.find((r) => r.source === 'flooding')!.series).toHaveLength(1000)
    expect(run.said.some((line) => line.includes('more than 1000 series'))).toBe(true)
  })
  it('by filling the disk: beyond the limit only borders are kept', async ({ lab }) => {
    const run = start(lab, sources(lab, { steady }), { limits: { maxBytes: 1200 } })
    const written = () => readFileSync(join(lab.folder, 'telemetry-steady.jsonl')).length
    const { results, window } = await phase(run, 500, () => written() >= 1200)
    expect(written()).toBeLessThan(2000)
    expect([...results[0]!.samples()].at(-1)!.border).toEqual({ at: 'end', phase: 0 })
    expect(results[0]!.summarise([window])[0]!.gauge!.avg).toBe(7)
  })
  it('by never returning from a call: the thread is ended', async ({ lab }) => {
    const looping = `return { discover: async () => [{ name: 'loops', asked: true, intervalMs: 20, sample: async () => { for (;;); } }] }`
    const run = start(lab, sources(lab, { looping }), { limits: { borderMs: 200, discoverMs: 100 } })
    const t0 = performance.now()
    await run.telemetry.ready
    await run.telemetry.border('start', 0)
    await run.telemetry.border('end', 0)
    await run.telemetry.stop()
    expect(performance.now() - t0).toBeLessThan(8000)
  })
  it('by throwing outside of any call', async ({ lab }) => {
    const throwing = `return { discover: async () => { setTimeout(() => { throw new Error('stray') }, 50); return [] } }`
    const run = start(lab, sources(lab, { steady, throwing }))
    check(await phase(run, 300))
    expect(run.said).toContain('warn: telemetry: stray')
  })
})

describe.concurrent('before the run', () => {
  it('a source that was asked for and cannot start ends it; one that is on by itself does not', async ({ lab }) => {
    const { index } = sources(lab, { broken: `throw new Error('no driver')` })
    const asked = start(lab, { index, selected: [{ name: 'broken', options: {}, asked: true }] })
    await expect(asked.telemetry.ready).rejects.toThrow(/@acme\/psu 1\.0\.0.*no driver/)
    const quiet = start(lab, { index, selected: [{ name: 'broken', options: {}, asked: false }] })
    await quiet.telemetry.ready
    expect(quiet.said.join()).toContain('the run goes on without it')
  })
  it('nothing is started when nothing is selected', async ({ lab }) => {
    const t = start(lab, { index: { packages: [], contributions: [] }, selected: [] })
    await t.telemetry.ready
    await t.telemetry.stop()
    expect(readTelemetry(lab.folder)).toEqual([])
  })
  it('sources are chosen by default, by option and by name', ({ lab }) => {
    const of = (name: string, meta: object) => sources(lab, { [name]: '' }, meta).index.contributions
    const index: PluginIndex = { packages: [], contributions: [...of('dcgm', { onByDefault: true, selectedBy: 'items' }), ...of('nvidia-smi', { aliases: ['pynvml'], selectedBy: 'items' }), ...of('psu', {})] }
    const names = (options: Parameters<typeof selectSources>[1]): string[] => selectSources(index, options).map((s) => `${s.name}${s.asked ? '!' : ''}`)
    expect(names({})).toEqual([])
    expect(names({ dcgm: {} })).toEqual(['dcgm'])
    expect(names({ dcgm: { enabled: false } })).toEqual([])
    expect(names({ dcgm: {}, psu: { enabled: true } })).toEqual(['dcgm', 'psu!'])
    expect(names({ dcgm: {}, 'nvidia-smi': { items: ['PyNVML'] } })).toEqual(['dcgm', 'nvidia-smi!'])
    expect(names({ dcgm: {}, 'nvidia-smi': { items: ['pynvml'], enabled: false } })).toEqual(['dcgm'])
  })
})

describe.concurrent('after a kill', () => {
  it('everything up to the cut line is read', async ({ lab }) => {
    const body = `let n = 0
      return { discover: async () => [{ name: 'psu', asked: true, intervalMs: 20, sample: async () => ({ ns: now(), values: [{ series: power, value: n++ }] }) }] }`
    await phase(start(lab, sources(lab, { psu: body })), 200)
    const path = join(lab.folder, 'telemetry-psu.jsonl')
    const bytes = readFileSync(path)
    const whole = readTelemetry(lab.folder)[0]!.targets[0]!.samples
    truncateSync(path, bytes.length - 5)
    expect(readTelemetry(lab.folder)[0]!.targets[0]!.samples).toBe(whole - 1)
    appendFileSync(path, '\n{"t":0,"ns":1e99')
    expect([...readTelemetry(lab.folder)[0]!.samples()]).toHaveLength(whole - 1)
    truncateSync(path, 10)
    expect(readTelemetry(lab.folder)).toEqual([])
  })
})
