import { describe, expect, test } from 'vitest'
import type { TelemetryResult } from '@aiperf/core'
import { MemoryDir, sampleRun, testPlugin } from '@aiperf/conformance'
import { startMeter } from '../server/meter.js'
import files from '../src/power-meter-files.js'

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    telemetry_source: {
      power_meter: {
        async serve() {
          const meter = await startMeter()
          return { options: { url: meter.url }, close: () => meter.close() }
        },
        series: ['power_meter_power', 'power_meter_energy'],
      },
    },
  },
})

/** What the host makes of a meter that saw one outlet draw 400 W. */
const measured: TelemetryResult = {
  source: 'power_meter', title: 'Power Meter', ownExporter: true, targets: [], series: [], *each() {}, *samples() {}, points: () => ({ ns: new Float64Array(0), values: new Float64Array(0) }),
  summarise: ([window]) => {
    const seconds = (window!.endNs - window!.startNs) / 1e9
    const subject = { kind: 'outlet', id: 'a', name: 'rack "A", left' }
    const series = (name: string) => ({ name, type: 'gauge' as const, unit: '', description: '', labels: {}, subject })
    const gauge = { avg: 400, min: 400, max: 400, std: 0, p1: 400, p5: 400, p10: 400, p25: 400, p50: 400, p75: 400, p90: 400, p95: 400, p99: 400, count: 3, integral: 400 * seconds, coverage: 1 }
    return [{ series: series('power_meter_power'), target: 0, gauge }, { series: series('power_meter_energy'), target: 0, counter: { total: 400 * seconds, rate: 400, resets: 0, exact: true } }]
  },
}

test('energy and power stand in the file, the summary and the table', async () => {
  const run = await sampleRun({ telemetry: [measured] })
  const exporter = await files.create({ options: {}, random: () => expect.unreachable() } as never)
  const dir = new MemoryDir()
  await exporter.write(run, dir)
  const [head, row] = dir.files.get('power_meter.csv')!.toString().trim().split('\n')
  expect(head).toBe('Phase,Outlet,Energy (J),Power (W),Exact')
  const [, joules] = /^profiling,"rack ""A"", left",([\d.]+),400,yes$/.exec(row!)!
  const { json, tables } = await exporter.adds!(run)
  const tokens = run.profiling.metrics.get('output_sequence_length')!.sum!
  expect(json).toMatchObject({ power_meter: { outlets: [{ outlet: 'rack "A", left', power_watts: 400 }], joules_per_output_token: Number(joules) / tokens } })
  expect(tables![0]!.rows[0]!.slice(0, 2)).toEqual(['rack "A", left', 'profiling'])
})

test('a run without a meter gets nothing of it', async () => {
  const run = await sampleRun()
  const exporter = await files.create({ options: {}, random: () => expect.unreachable() } as never)
  const dir = new MemoryDir()
  await exporter.write(run, dir)
  expect([...dir.files.keys()]).toEqual([])
  expect(await exporter.adds!(run)).toEqual({})
})
