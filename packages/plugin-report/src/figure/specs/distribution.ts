import type { JsonObject, PlotStyle } from '@aiperf/core'
import { legendOf } from '../legend.js'
import type { Bucket } from '../histogram.js'
import { logTicks } from '../log-ticks.js'
import { dashes } from '../dashes.js'
import { short } from '../rows.js'

export interface HistogramInput {
  buckets: readonly Bucket[]
  /** Name and value of percentiles, ascending. */
  marks: readonly { name: string; value: number }[]
  title: string
  unit: string
  log: boolean
}

/** How often which value came, with marks. */
export function histogramSpec({ buckets, marks, title, unit, log }: HistogramInput, style: PlotStyle): JsonObject {
  const [low, high] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 1]
  const x: JsonObject = { field: 'from', type: 'quantitative', title, scale: { type: log ? 'log' : 'linear', ...(log ? {} : { zero: false }), nice: false, domain: [short(low), short(high)] }, ...(log ? { axis: { values: logTicks(low, high), format: ',~r' } } : {}) }
  const rightHalf = (v: number): boolean => (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low)) > 0.7
  return {
    layer: [
      {
        data: { values: buckets.map((b) => ({ from: short(b.from), to: short(b.to), n: b.count })) },
        mark: { type: 'bar', color: style.series[0]!, opacity: 0.8, binSpacing: 1 },
        encoding: {
          x: { ...x, bin: { binned: true } }, x2: { field: 'to' },
          y: { field: 'n', type: 'quantitative', title: 'Requests', axis: { tickMinStep: 1 }, scale: { domainMin: 0, domainMax: Math.max(1, Math.ceil(Math.max(0, ...buckets.map((b) => b.count)) * (marks.length === 0 ? 1.05 : 1.22))) } },
          tooltip: [{ field: 'from', title: 'From', format: ',.4~r' }, { field: 'to', title: 'To', format: ',.4~r' }, { field: 'n', title: 'Requests' }],
        },
      },
      // Each a line lower than the one before: percentiles may lie close together.
      ...marks.flatMap(({ name, value }, i): JsonObject[] => {
        const v = short(value)
        const right = rightHalf(v)
        const text = `${name} ${Number(value.toPrecision(4)).toLocaleString('en-US')} ${unit}`.trim()
        return [
          { data: { values: [{ v }] }, mark: { type: 'rule', color: style.text, strokeDash: [4, 3] }, encoding: { x: { ...x, field: 'v' }, y: { value: 2 + 16 * i }, y2: { value: 'height' } } },
          { data: { values: [{ v, text }] }, mark: { type: 'text', align: right ? 'right' : 'left', dx: right ? -5 : 5, baseline: 'top', color: style.text, fontWeight: 600 }, encoding: { x: { ...x, field: 'v' }, y: { value: 2 + 16 * i }, text: { field: 'text' } } },
        ]
      }),
    ],
  }
}

/** A cumulative curve: ascending values with the share of requests at most that. */
export interface Stairs {
  label: string
  points: readonly { v: number; share: number }[]
}

/** Share of the requests that stay below each value. */
export function cdfSpec(curves: readonly Stairs[], { title, log }: { title: string; log: boolean }, style: PlotStyle): JsonObject {
  const several = curves.length > 1
  const labels = curves.map(({ label }) => label)
  const values = curves.flatMap(({ label, points }) => points.map(({ v, share }) => ({ v: short(v), share: short(share), run: label })))
  const [low, high] = [Math.min(...curves.map((c) => c.points[0]?.v ?? 1)), Math.max(...curves.map((c) => c.points.at(-1)?.v ?? 1))]
  return {
    layer: [
      { data: { values: [0.5, 0.9, 0.99].map((share) => ({ share })) }, mark: { type: 'rule', color: style.muted, opacity: 0.45, strokeDash: [3, 4] }, encoding: { y: { field: 'share', type: 'quantitative' } } },
      {
        data: { values },
        mark: { type: 'line', interpolate: 'step-after', ...(several ? {} : { color: style.series[0]! }) },
        encoding: {
          x: { field: 'v', type: 'quantitative', title, scale: log ? { type: 'log', nice: true } : { zero: low === high, nice: true }, ...(log ? { axis: { values: logTicks(low, high), format: ',~r' } } : {}) },
          y: { field: 'share', type: 'quantitative', title: 'Share of requests', scale: { domain: [0, 1] }, axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 0.9, 0.99] } },
          ...(several
            ? { color: { field: 'run', type: 'nominal', title: null, sort: labels, scale: { domain: labels }, legend: legendOf(labels) }, strokeDash: { field: 'run', type: 'nominal', title: null, scale: { domain: labels, range: dashes(labels.length) } } }
            : {}),
          tooltip: [...(several ? [{ field: 'run', title: 'Run' }] : []), { field: 'v', title, format: ',.4~r' }, { field: 'share', title: 'Share', format: '.1%' }],
        },
      },
    ],
  }
}
