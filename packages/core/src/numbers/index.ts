/**
 * A number for people: four significant digits from 1 on (all digits before the point), three below, thousands
 * separated. Whole numbers stand without a point, so `0` is exactly zero and nothing else is printed as zero.
 */
export function readable(value: number): string {
  if (!Number.isFinite(value)) return ''
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return grouped(value.toFixed(0))
  const size = Math.abs(value)
  if (size >= 1e15) return value.toExponential(3)
  if (size >= 999.95) return grouped(value.toFixed(0))
  if (size < 0.00009995) return value.toExponential(2)
  return Number(size < 0.9995 ? value.toPrecision(3) : value.toPrecision(4)).toFixed(decimals(size))
}

/** As `readable`, for running text: three significant digits, no zeros at the end. */
export function brief(value: number): string {
  const text = readable(Math.abs(value) < 1000 ? Number(value.toPrecision(3)) : value)
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text
}

function decimals(size: number): number {
  if (size >= 99.995) return 1
  if (size >= 9.9995) return 2
  if (size >= 0.9995) return 3
  let places = 3
  for (let limit = 0.09995; size < limit; limit /= 10) places++
  return places
}

/** Digits in groups of three. Tables have a thousand numbers, and `Intl` takes its time. */
function grouped(digits: string): string {
  const whole = digits.replace(/\B(?=(\d{3})+$)/g, ',')
  return whole === '-0' ? '0' : whole
}

/** Seconds as people say them: `850 ms`, `2.04 s`, `3 min 20 s`, `1 h 05 min`. */
export function readableSeconds(seconds: number): string {
  if (seconds < 1) return `${brief(seconds * 1000)} ms`
  if (seconds < 60) return `${seconds.toPrecision(3)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
  const minutes = Math.round(seconds / 60)
  return `${grouped(String(Math.floor(minutes / 60)))} h ${String(minutes % 60).padStart(2, '0')} min`
}

const UNITS: Record<string, string> = { count: '', sec: 's', seconds: 's', us: 'µs', 'J*s': 'J·s' }

/** A unit as people read it: `requests/sec` of a file is `requests/s` on a screen, what is only counted has none. */
export const unitText = (unit: string): string => UNITS[unit] ?? unit.replace('/sec', '/s').replace(/^joules\//, 'J/')
