import type { Figure, Json, JsonObject } from '@aiperf/core'
import { configOf, type ThemeName } from './theme.js'

export interface FigureSize {
  /** Of the whole picture, px. */
  width: number
  height: number
}

/** What a figure is shown with. */
export interface Frame extends FigureSize {
  theme: ThemeName
  title?: string
  font?: string
}

export const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json'

/** A whole Vega-Lite document of a figure, as any Vega tool draws it. `titleLines` and `subtitleLines` come wrapped. */
export function documentOf(figure: Figure, frame: Frame, subtitle: readonly string[] = figure.subtitle === undefined ? [] : [figure.subtitle]): JsonObject {
  const { theme, title, width, height, font } = frame
  return {
    $schema: SCHEMA,
    description: figure.description,
    ...(title === undefined ? {} : { title: { text: title, ...(subtitle.length > 0 ? { subtitle: [...subtitle] } : {}) } }),
    width,
    height,
    autosize: { type: 'fit', contains: 'padding' },
    ...(fitted(figure.spec, width) as JsonObject),
    config: merge(configOf(theme, font), (figure.spec['config'] ?? {}) as JsonObject),
    ...(figure.notes?.length ? { usermeta: { notes: [...figure.notes] } } : {}),
  }
}

/** Legends were made for a picture of the usual width. */
function fitted(value: Json, width: number): Json {
  if (Array.isArray(value)) return value.map((item) => fitted(item, width))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => {
    if (key === 'data') return [key, item]
    if (key === 'legend' && isObject(item) && typeof item['columns'] === 'number') return [key, { ...item, columns: Math.max(1, Math.floor((item['columns'] * width) / 1000)) }]
    return [key, fitted(item, width)]
  }))
}

function merge(base: JsonObject, over: JsonObject): JsonObject {
  const out = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = out[key]
    out[key] = isObject(below) && isObject(value) ? merge(below, value) : value
  }
  return out
}
const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
