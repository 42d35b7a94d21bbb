import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConfigurationError, Figure, JsonObject } from '@aiperf/core'
import { buildIndex, createHost } from '@aiperf/core/host'
import { styleOf } from '../figure/theme.js'
import { syntheticRun } from '../../test/synthetic-run.js'
import { catalogOf } from './catalog.js'
import { classificationOf, classify } from './classify.js'
import { entriesOf, modeOf } from './command.js'
import { drawPlot } from './draw.js'
import { planOf } from './presets.js'

const index = buildIndex([{ directory: join(import.meta.dirname, '../..'), origin: 'bundled' }])
const host = createHost(index)
const catalog = catalogOf(index)
const plan = (content: JsonObject) => planOf(catalog, { path: 'plots.yaml', content })
const problems = (content: JsonObject): string[] => {
  try {
    plan(content)
  } catch (error) {
    return (error as ConfigurationError).problems.map((p) => p.message)
  }
  return []
}

test('every plot of the reference is there by its name', () => {
  const names = new Set(catalog.named.map((entry) => entry.name))
  for (const name of ['pareto_curve_throughput_per_gpu_vs_latency', 'pareto_curve_throughput_per_gpu_vs_interactivity', 'ttft_vs_throughput', 'latency_throughput_uncertainty', 'ttft_over_time', 'ttft_timeline', 'timeslices_ttft', 'timeslices_itl', 'gpu_utilization_and_throughput_over_time', 'itl_over_time', 'latency_over_time', 'dispersed_throughput_over_time', 'timeslices_throughput', 'timeslices_latency']) expect(names).toContain(name)
  const kinds = new Set(catalog.kinds.map((entry) => entry.name))
  for (const kind of ['area', 'dual_axis', 'histogram', 'pareto', 'percentile_bands', 'request_timeline', 'scatter', 'scatter_line', 'scatter_with_percentiles', 'timeslice']) expect(kinds).toContain(kind)
})

describe('config files', () => {
  const preset = { type: 'scatter_line', x: { metric: 'request_latency', stat: 'p99' }, y: { metric: 'request_throughput', stat: 'avg' }, labels: ['concurrency'], groups: ['model'], title: 'Demo' }

  test('a plot of one\'s own is drawn with the statistic that was asked for', async () => {
    const { entries, runs: defaults } = plan({ visualization: { multi_run_defaults: ['mine'], multi_run_plots: { mine: preset } } })
    expect(defaults).toEqual(['mine'])
    const runs = [2, 8].map((concurrency) => syntheticRun({ requests: 200, concurrency }))
    const drawn = (await drawPlot(host, entries.get('mine')!, runs, styleOf('light'))) as { figure: Figure; entry: { title: string } }
    expect(drawn.entry.title).toBe('Demo')
    const rows = JSON.stringify(drawn.figure.spec)
    for (const run of runs) expect(rows).toContain(`"x":${Number(run.metrics.get('request_latency')!.p99!.toPrecision(6))}`)
    expect(rows).toContain('Request latency, p99 (ms)')
  })

  test('a shorthand, a statistic for the whole plot, and keys without effect', () => {
    const { entries, notices } = plan({ visualization: { single_run_plots: { itl: { type: 'scatter', x: 'request_number', y: 'inter_token_latency', title: 'ITL', primary_style: { mode: 'lines' } }, slices: { type: 'timeslice', y: { metric: 'time_to_first_token', stat: 'p99' } } }, multi_run_plots: { short: { type: 'pareto', x: 'request_latency_p95', y: 'request_throughput', stat: 'avg' } } } })
    expect(entries.get('itl')!.options).toEqual({ x: 'request_number', y: 'inter_token_latency' })
    expect(entries.get('slices')!.options).toEqual({ y: 'time_to_first_token', stat: 'p99' })
    expect(entries.get('short')!.options['x']).toEqual({ metric: 'request_latency_p95', stat: 'avg' })
    expect(notices).toEqual([expect.stringMatching(/primary_style/)])
  })

  test('every problem is told at once, with what was meant', () => {
    const told = problems({ visualisation: {}, visualization: { multi_run_defaults: ['ttft_vs_throughputs'], single_run_plots: { a: { type: 'scater' }, b: { type: 'pareto', x: 'a', y: 'b' }, c: { type: 'scatter', y: 'x', colour: 'red' } } } })
    expect(told).toHaveLength(5)
    expect(told.join('\n')).toMatch(/visualisation.*\n.*scater.*\n.*several runs.*\n.*colour.*\n.*ttft_vs_throughputs/)
  })

  test('an unknown statistic is an error of its plot', async () => {
    const { entries } = plan({ visualization: { multi_run_plots: { odd: { ...preset, x: { metric: 'request_latency', stat: 'p97' } } } } })
    const drawn = await drawPlot(host, entries.get('odd')!, [syntheticRun({ requests: 5 })], styleOf('light'))
    expect((drawn as { error: Error }).error.message).toMatch(/p97/)
  })

  test('samples of a server are gathered as the settings say', () => {
    const { entries } = plan({ visualization: { single_run_plots: { queue: { type: 'telemetry', y: ['*running'] } } }, settings: { server_metrics_downsampling: { enabled: true, window_size_seconds: 2, aggregation_method: 'max' } } })
    expect(entries.get('queue')!.options).toMatchObject({ windowSeconds: 2, aggregation: 'max' })
    expect(problems({ visualization: {}, settings: { server_metrics_downsampling: { aggregation_method: 'sum' } } })[0]).toMatch(/aggregation_method/)
  })
})

test('runs of an experiment are classed by their names', () => {
  const rules = classificationOf({ baselines: ['*baseline*'], treatments: ['*new*'], default: 'treatment', group_extraction_pattern: '^(baseline|treatment_\\d+)', group_display_names: { baseline: 'Before' } })!
  const runs = ['baseline_1', 'treatment_2', 'other'].map((name) => ({ ...syntheticRun({ requests: 1 }), name, directory: `/x/${name}` }))
  expect(classify(runs, rules).map((run) => [run.facts['experiment_class'], run.facts['experiment_group']])).toEqual([['baseline', 'Before'], ['treatment', 'treatment_2'], ['treatment', 'treatment']])
})

test('one run alone is shown over time; several, or one point of a sweep, are compared', () => {
  const one = { runs: [syntheticRun({ requests: 1 })] }
  expect(modeOf('auto', { ...one, sweep: false })).toBe('single')
  expect(modeOf('auto', { ...one, sweep: true })).toBe('compare')
  expect(modeOf('auto', { runs: [...one.runs, ...one.runs], sweep: false })).toBe('compare')
  expect(modeOf('single', { ...one, sweep: true })).toBe('single')
})

test('a plot is asked for by name, in the mode that it is for', () => {
  const whole = planOf(catalog, undefined)
  expect(entriesOf(whole, ['ttft_over_time'], 'single').map((e) => e.name)).toEqual(['ttft_over_time'])
  expect(() => entriesOf(whole, ['ttft_over_tme'], 'single')).toThrow(/ttft_over_tme/)
  expect(() => entriesOf(whole, ['ttft_over_time'], 'compare')).toThrow(/shows one run/)
  expect(entriesOf(whole, [], 'compare').every((e) => e.scope !== 'run')).toBe(true)
})
