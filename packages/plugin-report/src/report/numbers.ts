/** Thousands apart. Tables have a thousand numbers, and `Intl` takes its time. */
export const grouped = (value: number): string => String(value).replace(/\d(?=(?:\d{3})+$)/g, '$&,')

/** Four significant digits, thousands apart; whole numbers as they are. */
export function shown(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–'
  if (Number.isInteger(value)) return grouped(value)
  const size = Math.abs(value)
  if (size >= 1000) return grouped(Math.round(value))
  if (size !== 0 && size < 0.001) return value.toPrecision(3)
  return String(Number(value.toPrecision(4)))
}

export const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${shown((100 * part) / whole)} %`)

/** `1 h 2 min`, `3 min 20 s`, `12.4 s`. */
export function duration(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '–'
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
  if (seconds >= 120) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  return `${shown(Number(seconds.toPrecision(3)))} s`
}
