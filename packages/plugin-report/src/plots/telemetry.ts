import { definePlot, type TelemetryLine } from '@aiperf/core'
import { emptyFigure } from '../figure/empty.js'
import { unitText } from '@aiperf/core/numbers'
import { counted } from '../figure/rows.js'
import { subtitleOf } from '../figure/run-data.js'
import { telemetryRows } from '../figure/series-data.js'
import { linesSpec } from '../figure/specs/curve.js'
import { runEnd } from '../figure/time-axis.js'
import type schema from './telemetry.options.js'

const MOST_LINES = 8

/** Telemetry series of one unit over the run's time, one line each. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    async draw([run], style) {
      const wanted = [options.y].flat().map(pattern)
      const all = (await run!.telemetry()).filter((line) => !options.except.includes(line.source) && wanted.some((test) => test.test(line.name)))
      const [first] = all
      if (!first) return { absent: `the run has no telemetry ${options.except.length > 0 ? `but that of ${options.except.join(', ')}` : [options.y].flat().join(', ')}` }
      // Series of another unit would need an axis of their own.
      const same = all.filter((line) => line.unit === first.unit)
      const moving = same.filter((line) => line.values.some((v) => v !== line.values[0]))
      // Among many, those that never change only take room.
      const chosen = same.length > MOST_LINES && moving.length > 0 ? moving : same
      const lines = chosen.slice(0, MOST_LINES)
      const table = await run!.requests([])
      const end = table ? runEnd(table) : Math.max(1, ...lines.map((line) => line.seconds.at(-1) ?? 0))
      const drawn = lines.map((line) => telemetryRows([line], end, options))
      if (drawn.every((rows) => rows.length === 0)) return emptyFigure('Nothing was sampled between the first request and the last', style, subtitleOf(run!, table))
      const named = labels(lines)
      const several = lines.length > 1
      const unit = unitText(first.unit)
      const base = options.title ?? (several ? commonHeader(lines) : first.header)
      const title = unit === '' || base.toLowerCase() === unit ? base : `${base} (${unit})`
      return {
        spec: linesSpec({ lines: lines.map((line, i) => ({ label: named[i]!, rows: drawn[i]! })), title, end, percent: first.unit === '%', whole: first.unit === 'requests' }, style),
        description: `${title} over time, ${counted(lines.length, 'series', 'series')}.`,
        subtitle: subtitleOf(run!, table),
        notes: [
          ...(chosen.length > lines.length ? [`${lines.length} of ${chosen.length} series.`] : []),
          ...(all.length > same.length ? [`${counted(all.length - same.length, 'series', 'series')} of other units: aiperf plot --config draws them by name.`] : []),
          ...(same.length > chosen.length ? [`${counted(same.length - chosen.length, 'series that never changed is', 'series that never changed are')} left out.`] : []),
        ],
      }
    },
  }),
})

const pattern = (name: string): RegExp => new RegExp(`^${name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 'i')

/** Subject and header, as short as they stay different. */
function labels(lines: readonly TelemetryLine[]): string[] {
  const one = (values: readonly (string | undefined)[]): boolean => new Set(values).size === 1
  const [sameHeader, sameTarget] = [one(lines.map((l) => l.header)), one(lines.map((l) => l.target))]
  const braces = (line: TelemetryLine): string => / \{.*\}$/.exec(line.header)?.[0] ?? ''
  // Labels that all have tell nothing.
  const plain = (line: TelemetryLine): string => (one(lines.map(braces)) ? line.header.slice(0, line.header.length - braces(line).length) : line.header)
  return lines.map((line) => [sameTarget ? undefined : line.target.replace(/^https?:\/\//, ''), line.subject, sameHeader && line.subject !== undefined ? undefined : plain(line)].filter(Boolean).join(' · '))
}

const commonHeader = (lines: readonly TelemetryLine[]): string => {
  const headers = [...new Set(lines.map((line) => line.header.replace(/ \{.*\}$/, '')))]
  return headers.length === 1 ? headers[0]! : 'Value'
}
