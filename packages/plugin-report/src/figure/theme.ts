import type { JsonObject, PlotStyle } from '@aiperf/core'

export type ThemeName = 'light' | 'dark'

/**
 * Series colours after Okabe and Ito (Color Universal Design, 2008), those too pale for their background replaced by
 * darker or lighter ones of the same hue. Groups differ in shape or dash besides, never in colour alone.
 */
const STYLES: Record<ThemeName, PlotStyle> = {
  light: {
    theme: 'light',
    series: ['#0072b2', '#d55e00', '#009e73', '#a6418b', '#b58900', '#3fa7d6', '#7a2e5c', '#5b5b5b'],
    text: '#1b1e24', muted: '#5a6270', background: '#ffffff', bad: '#c62828', baseline: '#808890',
  },
  dark: {
    theme: 'dark',
    series: ['#56b4e9', '#ff8a4c', '#2fd1a0', '#e59bd0', '#f0c64a', '#9adcf7', '#c98bbf', '#bdbdbd'],
    text: '#e9ebef', muted: '#a4acb9', background: '#1c1f26', bad: '#ff7b72', baseline: '#8b93a1',
  },
}

const GRID: Record<ThemeName, string> = { light: '#e7eaee', dark: '#2f343e' }
const AXIS: Record<ThemeName, string> = { light: '#aab1bc', dark: '#545c69' }

export const FONT = 'Inter'
/** For readers of SVG and HTML whose machine lacks the font. */
export const FONT_STACK = "Inter, system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

export const styleOf = (theme: ThemeName): PlotStyle => STYLES[theme]

/** Vega-Lite `config`: what all pictures of a theme have in common. */
export function configOf(theme: ThemeName, font = FONT): JsonObject {
  const { text, muted, background, series } = STYLES[theme]
  return {
    // The whole picture is described; a label for each of a thousand points helps nobody.
    aria: false,
    background,
    font,
    padding: 16,
    view: { stroke: null },
    title: { anchor: 'start', frame: 'bounds', offset: 14, color: text, fontSize: 17, fontWeight: 600, subtitleColor: muted, subtitleFontSize: 12.5, subtitleFontWeight: 400, subtitlePadding: 5 },
    axis: {
      labelColor: muted, labelFontSize: 12, labelPadding: 5, labelOverlap: true, labelSeparation: 6, titleColor: text, titleFontSize: 12.5, titleFontWeight: 600, titlePadding: 9,
      gridColor: GRID[theme], domainColor: AXIS[theme], tickColor: AXIS[theme], tickSize: 4, tickCount: 7,
    },
    axisX: { grid: false },
    axisY: { domain: false, ticks: false, titleAnchor: 'middle' },
    legend: { orient: 'top', direction: 'horizontal', labelColor: text, labelFontSize: 12, labelLimit: 320, titleColor: muted, titleFontSize: 12, titleFontWeight: 400, titleOrient: 'left', symbolSize: 90, columnPadding: 18, offset: 10, padding: 0 },
    line: { strokeWidth: 2, strokeJoin: 'round', strokeCap: 'round' },
    point: { filled: true, size: 46, opacity: 1 },
    rule: { color: muted },
    text: { color: text, fontSize: 12 },
    range: { category: [...series], symbol: ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down', 'triangle-right', 'triangle-left'] },
  }
}
