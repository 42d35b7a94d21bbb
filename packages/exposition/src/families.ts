export type FamilyType = 'counter' | 'gauge' | 'histogram' | 'gaugehistogram' | 'summary' | 'info' | 'stateset' | 'unknown'

/** What `# TYPE`, `# HELP` and `# UNIT` say. */
export interface Family {
  readonly name: string
  type: FamilyType
  help: string
  /** `''` when not stated. */
  unit: string
}

/** Which part of its family a sample is. */
export type Part = 'value' | 'bucket' | 'sum' | 'count' | 'created' | 'quantile'

const TYPES = new Set<string>(['counter', 'gauge', 'histogram', 'gaugehistogram', 'summary', 'info', 'stateset'])

export function familyType(word: string): FamilyType {
  const type = word.toLowerCase()
  return TYPES.has(type) ? (type as FamilyType) : 'unknown'
}

/** Suffixes by which samples of a family are named, per type. */
const SUFFIXES: Partial<Record<FamilyType, Record<string, Part>>> = {
  histogram: { _bucket: 'bucket', _sum: 'sum', _count: 'count', _created: 'created' },
  gaugehistogram: { _bucket: 'bucket', _gsum: 'sum', _gcount: 'count' },
  summary: { _sum: 'sum', _count: 'count', _created: 'created' },
  counter: { _total: 'value', _created: 'created' },
  info: { _info: 'value' },
}

/** Finds the family a sample belongs to; a sample that was not announced is a family of its own, of unknown type. */
export function familyOf(families: Map<string, Family>, sample: string, labels: Record<string, string>): { family: Family; part: Part } {
  const own = families.get(sample)
  if (own) {
    const quantile = own.type === 'summary' && 'quantile' in labels
    return { family: own, part: quantile ? 'quantile' : 'value' }
  }
  const cut = sample.lastIndexOf('_')
  if (cut > 0) {
    const family = families.get(sample.slice(0, cut))
    const part = family && SUFFIXES[family.type]?.[sample.slice(cut)]
    if (family && part) return { family, part }
    // Text of version 0.0.4 announces a counter by its full name, and its birth without `_total`.
    if (sample.endsWith('_created') && families.get(`${sample.slice(0, cut)}_total`)?.type === 'counter')
      return { family: families.get(`${sample.slice(0, cut)}_total`)!, part: 'created' }
  }
  const family: Family = { name: sample, type: 'unknown', help: '', unit: '' }
  families.set(sample, family)
  return { family, part: 'value' }
}
