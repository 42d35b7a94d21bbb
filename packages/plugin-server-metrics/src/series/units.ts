const IN_WORDS: readonly [RegExp, string][] = [
  [/\bin (nano|micro|milli)?seconds\b/i, ''],
  [/\bin (kilo|mega|giga)?bytes\b/i, ''],
  [/\bin (tokens|requests|blocks|joules|watts|celsius|percent)\b/i, ''],
]
const RATIO = /\b(?:0(?:\.0)?\s*(?:-|–|to)\s*1(?:\.0)?|1(?:\.0)? means 100)\b/i
const PERCENT = /\b0\s*(?:-|–|to)\s*100\b/

/** Endings of names, longest first. */
const SUFFIXES: readonly [string, string][] = [
  ['_milliseconds', 'milliseconds'],
  ['_microseconds', 'microseconds'],
  ['_nanoseconds', 'nanoseconds'],
  ['_seconds', 'seconds'],
  ['_ms', 'milliseconds'],
  ['_us', 'microseconds'],
  ['_ns', 'nanoseconds'],
  ['_bytes', 'bytes'],
  ['_tokens', 'tokens'],
  ['_requests', 'requests'],
  ['_reqs', 'requests'],
  ['_blocks', 'blocks'],
  ['_ratio', 'ratio'],
  ['_perc', 'ratio'],
  ['_percent', '%'],
  ['_percentage', '%'],
  ['_joules', 'joules'],
  ['_watts', 'watts'],
  ['_celsius', 'celsius'],
]

/** The unit of a metric: stated, else read from its help text, else from the end of its name; `''` when none tells. */
export function unitOf(name: string, help: string, stated: string): string {
  if (stated !== '') return stated
  const bracketed = /\(in ([^)]+)\)/i.exec(help)?.[1]
  if (bracketed !== undefined) return bracketed
  for (const [pattern] of IN_WORDS) {
    const found = pattern.exec(help)?.[0]
    if (found !== undefined) return found.slice(3).toLowerCase()
  }
  if (RATIO.test(help)) return 'ratio'
  if (PERCENT.test(help)) return '%'
  const plain = name.replace(/_total$/, '')
  for (const [suffix, unit] of SUFFIXES) if (plain.endsWith(suffix)) return unit
  return /(^|[_:])num_requests_/.test(plain) ? 'requests' : ''
}
