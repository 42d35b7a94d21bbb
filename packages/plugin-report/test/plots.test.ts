import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import type { Figure } from '@aiperf/core'
import { buildIndex, createHost } from '@aiperf/core/host'
import { styleOf } from '../src/figure/theme.js'
import { catalogOf } from '../src/plot/catalog.js'
import { rendered } from '../src/plot/command.js'
import { drawPlot } from '../src/plot/draw.js'
import { renderSvg } from '../src/render/svg.js'
import { syntheticRun, type Shape } from './synthetic-run.js'
import { overlaps, textBoxes } from './svg-texts.js'

const index = buildIndex([{ directory: join(import.meta.dirname, '..'), origin: 'bundled' }])
const host = createHost(index)
const { named } = catalogOf(index)
const pictures = join(import.meta.dirname, 'pictures')
const size = { width: 1000, height: 560 }

const many = (count: number): Shape[] => Array.from({ length: count }, (_, i) => ({ requests: 60, concurrency: Math.round(1.2 ** (i % 25)) + (i % 25), seed: i, label: `model-${i < 25 ? 'a' : 'b'} ${i}`, facts: { model: i < 25 ? 'a' : 'b', concurrency: Math.round(1.2 ** (i % 25)) + (i % 25) } }))
const CASES: Record<string, { scope: 'run' | 'runs'; shapes: Shape[] }> = {
  'no request that succeeded': { scope: 'run', shapes: [{ requests: 6, failed: 6 }] },
  'no request at all': { scope: 'run', shapes: [{ requests: 0 }] },
  'one request': { scope: 'run', shapes: [{ requests: 1, slices: 1 }] },
  'two requests': { scope: 'run', shapes: [{ requests: 2, slices: 2 }] },
  '50 requests': { scope: 'run', shapes: [{ requests: 50, failed: 3, slices: 6, gpus: 1 }] },
  '5,000 requests, some very slow': { scope: 'run', shapes: [{ requests: 5000, slowEvery: 300, failed: 40, slices: 90, gpus: 4 }] },
  'one run': { scope: 'runs', shapes: [{ requests: 100 }] },
  'two runs': { scope: 'runs', shapes: [{ requests: 100, concurrency: 2 }, { requests: 100, concurrency: 32 }] },
  '50 runs': { scope: 'runs', shapes: many(50) },
  'repeated runs': { scope: 'runs', shapes: [2, 8, 32].flatMap((concurrency) => [1, 2, 3, 4].map((seed) => ({ requests: 60, concurrency, seed, point: `c${concurrency}`, gpus: 2 }))) },
  'groups of runs, two of which look alike': { scope: 'runs', shapes: [4, 4, 16].flatMap((concurrency, seed) => [true, false].map((streaming) => ({ requests: 60, concurrency, seed, label: `concurrency ${concurrency}, streaming ${streaming} (run-${seed})`, facts: { streaming, endpoint_type: streaming ? 'chat' : 'completions' } }))) },
  'runs that only their names tell apart': { scope: 'runs', shapes: Array.from({ length: 14 }, (_, i) => ({ requests: 60, seed: i, label: `a-rather-long-branch-name-${i}`, facts: { run_name: `a-rather-long-branch-name-${i}` } })) },
}

describe.each(Object.entries(CASES))('%s', (title, { scope, shapes }) => {
  const runs = shapes.map(syntheticRun)
  // Every plot where it has much to draw; elsewhere one of each kind.
  const fitting = named.filter((entry) => entry.scope === scope || entry.scope === 'any')
  const entries = title.startsWith('50 ') ? fitting : [...new Map(fitting.map((entry) => [entry.contribution.entry, entry])).values()]
  test.each(entries.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
    for (const theme of title.startsWith('50 r') && title.endsWith('requests') ? (['light', 'dark'] as const) : (['light'] as const)) {
      const drawn = await drawPlot(host, entry, runs, styleOf(theme))
      if ('error' in drawn) throw drawn.error
      if ('absent' in drawn) {
        expect(drawn.absent).toMatch(/^(the run has|no run has|only the|no )/)
        return
      }
      const svg = await renderSvg(drawn.figure, { ...size, theme, title: entry.title })
      keep(title, name, theme, svg)
      expect(/NaN|undefined|null|Infinity/.exec(svg)?.[0]).toBeUndefined()
      const boxes = textBoxes(svg)
      expect(boxes.map((b) => b.text)).toContain(entry.title)
      expect(overlaps(boxes)).toEqual([])
      for (const box of boxes) expect(box.left >= -1 && box.right <= size.width + 1 && box.top >= 0 && box.bottom <= size.height, `"${box.text}" lies outside`).toBe(true)
      if (!drawn.figure.description.startsWith('No request')) expectUnits(drawn.figure)
    }
  })
})

/** Axes of what is measured in a unit name it. */
function expectUnits(figure: Figure): void {
  const titles = [...JSON.stringify(figure.spec).matchAll(/"title":"([^"]+)"/g)].map((m) => m[1]!)
  for (const title of titles) if (/latency|token\b.*(first|inter)|time since|lag|throughput|per second|power|utilization/i.test(title)) expect(title).toMatch(/\([^)]+\)/)
}

/** For a person to look at. */
function keep(title: string, name: string, theme: string, svg: string): void {
  const folder = join(pictures, title.replaceAll(/[^\w]+/g, '-'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.${theme}.svg`), svg)
}

describe('pictures', () => {
  const ttft = named.find((entry) => entry.name === 'ttft_over_time')!
  const figure = async (): Promise<Figure> => {
    const drawn = await drawPlot(host, ttft, [syntheticRun({ requests: 200 })], styleOf('light'))
    return (drawn as { figure: Figure }).figure
  }

  test('the same run gives the same bytes, and PNG has the size that was asked for', async () => {
    const frame = { theme: 'light' as const, width: 640, height: 360, scale: 1.5 }
    const [a, b] = [await rendered(await figure(), 'T', 'png', frame), await rendered(await figure(), 'T', 'png', frame)]
    expect(Buffer.compare(a as Buffer, b as Buffer)).toBe(0)
    const sharp = createRequire(import.meta.url)('sharp') as typeof import('sharp').default
    expect(await sharp(a as Buffer).metadata()).toMatchObject({ format: 'png', width: 960, height: 540 })
  })

  test('PNG needs no font: every text is an outline', async () => {
    const { outlineText } = await import('../src/render/outline-text.js')
    const svg = await renderSvg(await figure(), { ...size, theme: 'light', title: 'Größe & <Fläche> × ±' })
    const outlined = outlineText(svg)
    expect(outlined).not.toContain('<text')
    expect(outlineText('<text font-size="12px">模型</text>')).toContain('<text')
    // The rim of a label lies below all its letters.
    expect(outlineText('<text font-size="12px" stroke="#ffffff" stroke-width="3">16</text>')).toMatch(/<g stroke="#ffffff"[^>]*>(<path[^>]*>){2}<\/g>(<path[^>]*>){2}/)
  })

  test('JSON is a Vega-Lite document of its own', async () => {
    const document = JSON.parse(String(await rendered(await figure(), 'My title', 'json', { ...size, theme: 'dark', scale: 1 }))) as { $schema: string; title: { text: string }; config: { background: string } }
    expect(document.$schema).toMatch(/vega-lite\/v6/)
    expect(document.title.text).toBe('My title')
    expect(document.config.background).toBe(styleOf('dark').background)
  })
})

describe('what is drawn', () => {
  const draw = async (name: string, runs: Parameters<typeof drawPlot>[2]): Promise<Figure> => ((await drawPlot(host, named.find((entry) => entry.name === name)!, runs, styleOf('light'))) as { figure: Figure }).figure
  const rows = (figure: Figure): Record<string, unknown>[] => (figure.spec['data'] as unknown as { values: Record<string, unknown>[] }).values

  test('runs that look alike have bars of their own', async () => {
    const runs = [1, 2].map((seed) => syntheticRun({ requests: 60, concurrency: 4, seed, label: `concurrency 4 (run-${seed})` })).concat(syntheticRun({ requests: 60, concurrency: 8 }))
    const bars = rows(await draw('ttft_percentiles_by_run', runs))
    expect(new Set(bars.map((row) => `${String(row['run'])} ${String(row['stat'])}`)).size).toBe(bars.length)
    expect(new Set(bars.map((row) => row['run']))).toEqual(new Set(['concurrency 4 (run-1)', 'concurrency 4 (run-2)', '8']))
  })

  test('repeated runs of one point bear no name of one of them', async () => {
    const runs = [1, 2, 3].map((seed) => syntheticRun({ requests: 60, seed, point: 'p', label: `run #${seed}`, facts: { run_name: `run_000${seed}` } }))
    expect(rows(await draw('ttft_percentiles_by_run', runs))[0]!['run']).toBe('3 runs')
  })

  test('telemetry that never changed is shown; of none between the requests, that is said', async () => {
    const run = syntheticRun({ requests: 60 })
    const line = (name: string, seconds: number[], value: number) => ({ source: 'server', target: 's', name, header: name, unit: 'requests', seconds: Float64Array.from(seconds), values: Float64Array.from(seconds, (t) => value * (1 + t)) })
    const of = (seconds: number[]) => ({ ...run, telemetry: () => Promise.resolve([line('vllm:num_requests_running', seconds, 2), line('vllm:num_requests_waiting', seconds, 0)]) })
    const lines = rows(await draw('server_queue_over_time', [of([0.1, 0.2])])).map((row) => row['line'])
    expect(new Set(lines)).toEqual(new Set(['vllm:num_requests_running', 'vllm:num_requests_waiting']))
    expect((await draw('server_queue_over_time', [of([-1, 1e6])])).description).toMatch(/Nothing was sampled/)
  })

  test('a short run shows what its two border samples come to between them', async () => {
    const run = syntheticRun({ requests: 3 })
    const series = { source: 'server', target: 's', name: 'vllm:num_requests_running', header: 'Requests running', unit: 'requests', seconds: Float64Array.of(-0.5, 4), values: Float64Array.of(1, 1) }
    const figure = await draw('server_queue_over_time', [{ ...run, telemetry: () => Promise.resolve([series]) }])
    const drawn = rows(figure)
    expect(drawn.map(({ v }) => v)).toEqual([1, 1])
    expect(drawn[0]!['t']).toBe(0)
    // Requests are counted: half of one is no tick.
    expect(figure.spec['encoding']).toMatchObject({ y: { axis: { tickMinStep: 1 } } })
  })

  test('a percentile that too few requests carry is no mark of a histogram, and bars that show one say so', async () => {
    const run = syntheticRun({ requests: 60 })
    const metrics = new Map(run.metrics)
    metrics.set('time_to_first_token', { ...metrics.get('time_to_first_token')!, withheld: { p99: 368 } })
    const histogram = await draw('ttft_distribution', [{ ...run, metrics }])
    expect(JSON.stringify(histogram.spec)).toContain('p90 ')
    expect(JSON.stringify(histogram.spec)).not.toContain('p99 ')
    expect(histogram.notes).toEqual(['p99 left out: it takes 368 requests to be sure of it.'])
    expect((await draw('ttft_percentiles_by_run', [{ ...run, metrics }, syntheticRun({ requests: 60, seed: 2 })])).notes).toContain('p99: 1 of 2 runs have too few requests for it to be sure (368 are needed).')
  })

  test('requests that are all of one length make no chart over the length, but a word', async () => {
    const run = syntheticRun({ requests: 60 })
    const requests: typeof run.requests = async (tags) => {
      const table = (await run.requests(tags))!
      return { ...table, values: (tag) => (tag === 'input_sequence_length' ? table.values(tag)?.map(() => 128) : table.values(tag)) }
    }
    expect((await draw('ttft_by_input_length', [{ ...run, requests }])).description).toMatch(/Input sequence length \(tokens\) is 128 for every request/)
  })

  test('a region of confidence lies within the axes', async () => {
    const runs = [1, 2, 3, 4, 5].map((seed) => syntheticRun({ requests: 60, seed, point: 'p', label: `run #${seed}`, concurrency: 4 })).concat(syntheticRun({ requests: 60, concurrency: 8, point: 'q' }))
    const { layer } = (await draw('latency_throughput_uncertainty', runs)).spec as unknown as { layer: { data: { values: { x: number; y: number; k?: number }[] }; encoding: Record<'x' | 'y', { scale: { domainMin: number; domainMax: number } }> }[] }
    const [region] = layer
    for (const axis of ['x', 'y'] as const) {
      const { domainMin, domainMax } = region!.encoding[axis].scale
      for (const vertex of region!.data.values) expect(vertex[axis] >= domainMin && vertex[axis] <= domainMax).toBe(true)
    }
  })

  test('telemetry of a source that is not known here is drawn as it comes', async () => {
    const run = syntheticRun({ requests: 60, gpus: 1 })
    const meter = ['node-1', 'node-2'].map((subject) => ({ source: 'power_meter', target: 'http://meter', name: 'power', header: 'Power', unit: 'W', subject, seconds: Float64Array.of(0.1, 0.2), values: Float64Array.of(400, 400) }))
    const gpus = await run.telemetry()
    const figure = await draw('further_telemetry_over_time', [{ ...run, telemetry: () => Promise.resolve([...gpus, ...meter]) }])
    expect(new Set(rows(figure).map((row) => row['line']))).toEqual(new Set(['node-1', 'node-2']))
    expect(figure.description).toBe('Power (W) over time, 2 series.')
    expect((await drawPlot(host, named.find((entry) => entry.name === 'further_telemetry_over_time')!, [run], styleOf('light')))).toHaveProperty('absent')
  })

  test('requests that begin as others end are not counted twice', async () => {
    const run = syntheticRun({ requests: 4 })
    const table = (await run.requests([]))!
    const abutting = { ...table, count: 4, startSeconds: Float64Array.of(0, 0, 1.0000002, 1.0000002), endSeconds: Float64Array.of(1, 1.0000001, 2, 2) }
    const spec = (await draw('throughput_and_concurrency_over_time', [{ ...run, requests: () => Promise.resolve(abutting) }])).spec
    const vega = await import('vega')
    const { compile } = await import('vega-lite')
    const view = new vega.View(vega.parse(compile({ ...spec, width: 600, height: 300 } as never).spec), { renderer: 'none' })
    const svg = await view.toSVG()
    view.finalize()
    // The axis on the right counts requests: two at most.
    expect([/>2<\/text>/.test(svg), />[34]<\/text>/.test(svg)]).toEqual([true, false])
  })
})
