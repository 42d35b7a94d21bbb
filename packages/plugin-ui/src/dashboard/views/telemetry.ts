import type { LiveSnapshot } from '@aiperf/core'
import { clean, widthOf } from '../../text.js'
import { fit, left, type Line } from '../line.js'
import type { LiveModel } from '../model.js'

const CELL = 38

/** The latest values of telemetry, by source, in as many columns as fit. */
export function telemetryView(model: LiveModel, width: number, height: number): Line[] {
  const lines = telemetryLines(model.snapshot?.telemetry ?? [], width)
  if (lines.length === 0) return [[['no telemetry source reports', 'dim']]]
  return lines.length <= height ? lines : [...lines.slice(0, height - 1), [['more: press 5', 'dim']]]
}

export function telemetryLines(values: LiveSnapshot['telemetry'], width: number): Line[] {
  const columns = Math.max(1, Math.floor((width + 3) / (CELL + 3)))
  const lines: Line[] = []
  for (const source of new Set(values.map((v) => v.source))) {
    const group = values.filter((v) => v.source === source)
    const cellOf = (n: number): number => Math.floor((width - 3 * (n - 1)) / n)
    // A value that says much takes the whole width.
    const across = group.every(({ label, value }) => widthOf(clean(label)) + 1 + widthOf(clean(value)) <= cellOf(columns)) ? columns : 1
    const cell = cellOf(across)
    lines.push([[clean(source), 'accent']])
    for (let i = 0; i < group.length; i += across)
      lines.push(
        group.slice(i, i + across).flatMap(({ label, value }, k): Line => {
          const shown = clean(value)
          const least = Math.min(widthOf(clean(label)), cell >> 1)
          const room = across < columns ? least : Math.max(least, cell - widthOf(shown) - 1)
          return [[k > 0 ? '   ' : ''], ...fit([[`${left(clean(label), room)} `, 'dim'], [shown]], cell)]
        }),
      )
  }
  return lines
}
