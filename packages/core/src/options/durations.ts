const UNITS: { [unit: string]: number } = { ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3600, d: 86_400 }
const PART = /(\d+(?:\.\d+)?)\s*(ms|sec|min|s|m|h|d)/gy

/** Seconds of a text such as `90`, `5m`, `1h30m` or `250ms`; undefined when it is no duration. */
export function secondsOf(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase()
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed)
  let seconds = 0
  PART.lastIndex = 0
  while (PART.lastIndex < trimmed.length) {
    const at = PART.lastIndex
    const part = PART.exec(trimmed)
    if (!part || part.index !== at) return undefined
    seconds += Number(part[1]) * UNITS[part[2]!]!
  }
  return trimmed === '' ? undefined : seconds
}
