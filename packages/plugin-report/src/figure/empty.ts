import type { Figure, PlotStyle } from '@aiperf/core'

/** A picture that says why there is nothing in it. */
export function emptyFigure(message: string, style: PlotStyle, subtitle?: string): Figure {
  return {
    spec: { data: { values: [{}] }, mark: { type: 'text', text: message, fontSize: 15, color: style.muted, align: 'center', baseline: 'middle' } },
    description: message,
    ...(subtitle === undefined ? {} : { subtitle }),
  }
}
