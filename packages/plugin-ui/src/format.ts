/** How numbers are written on screen. What is absent is a dash. */

const DASH = '–'

/** 1234567 → `1,234,567`. */
export const count = (n: number | undefined): string => (n === undefined ? DASH : Math.round(n).toLocaleString('en-US'))

/** Three significant digits at least, thousands separated: `0.42`, `4.20`, `42.0`, `420`, `4,200`. */
export function decimal(n: number | undefined): string {
  if (n === undefined || !Number.isFinite(n)) return DASH
  const magnitude = Math.abs(n)
  if (magnitude >= 99.95) return Math.round(n).toLocaleString('en-US')
  return n.toFixed(magnitude >= 9.995 ? 1 : 2)
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Seconds as `0:37`, `12:05` or `1:02:03`. */
export function clock(seconds: number): string {
  const s = Math.max(0, Math.round(seconds))
  const two = (n: number) => String(n).padStart(2, '0')
  const minutes = Math.floor(s / 60)
  return minutes >= 60 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`
}

/** 1536 → `1.5 KiB`. */
export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = n < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(n) / 10))
  return power === 0 ? `${Math.round(n)} B` : `${(n / 1024 ** power).toFixed(1)} ${units[power]}`
}
