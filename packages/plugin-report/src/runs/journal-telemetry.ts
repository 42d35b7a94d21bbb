import type { RunResult, TelemetryLine, TelemetrySeries } from '@aiperf/core'

/** Sampled series of a run; counters as growth per second. Series that never had two values are left out. */
export function telemetryLines(result: RunResult, originNs: number): TelemetryLine[] {
  return result.telemetry.flatMap((source) => {
    const headers = readable(source.series.map(({ series }) => series))
    return source.series.flatMap(({ series, target }, i): TelemetryLine[] => {
      if (series.type === 'histogram' || series.type === 'info') return []
      const points = source.points(i)
      if (points.ns.length < 2) return []
      const counter = series.type === 'counter'
      const { ns, values } = counter ? growth(points) : points
      const share = series.unit === 'ratio'
      return [{
        source: source.source,
        target: source.targets[target]!.name,
        name: series.name,
        header: headers[i]!,
        unit: counter ? `${series.unit || 'count'}/s` : share ? '%' : series.unit,
        ...(series.subject ? { subject: `${series.subject.kind === 'gpu' ? 'GPU' : series.subject.kind} ${series.subject.id}` } : {}),
        seconds: ns.map((t) => (t - originNs) / 1e9),
        values: share ? values.map((value) => 100 * value) : values,
      }]
    })
  })
}

/** Header, subject, and those labels in which series of the same header differ. */
function readable(series: readonly TelemetrySeries[]): string[] {
  const base = series.map((s) => s.header ?? s.name)
  return series.map((s, i) => {
    const alike = series.filter((_, j) => base[j] === base[i] && series[j]!.subject?.id === s.subject?.id)
    const differing = Object.entries(s.labels).filter(([key, value]) => alike.some((other) => other.labels[key] !== value))
    const labels = alike.length > 1 && differing.length > 0 ? ` {${differing.map(([key, value]) => `${key}=${value}`).join(', ')}}` : ''
    return `${base[i]}${labels}`
  })
}

/** Growth per second between samples; none where a counter was reset. */
function growth({ ns, values }: { ns: Float64Array; values: Float64Array }): { ns: Float64Array; values: Float64Array } {
  const at: number[] = []
  const rates: number[] = []
  for (let i = 1; i < ns.length; i++) {
    const seconds = (ns[i]! - ns[i - 1]!) / 1e9
    const more = values[i]! - values[i - 1]!
    if (seconds <= 0 || more < 0) continue
    at.push(ns[i]!)
    rates.push(more / seconds)
  }
  return { ns: Float64Array.from(at), values: Float64Array.from(rates) }
}

/** GPUs that any source saw; undefined when none did. */
export function gpuCount(result: RunResult): number | undefined {
  const seen = new Set<string>()
  for (const source of result.telemetry) for (const { series, target } of source.series) if (series.subject?.kind === 'gpu') seen.add(series.subject.attributes?.['uuid'] || `${source.source} ${target} ${series.subject.id}`)
  return seen.size > 0 ? seen.size : undefined
}
