/** Volume that points (larger is better) dominate above a reference point: slices along the last objective, recursively. */
export function hypervolume(points: readonly (readonly number[])[], reference: readonly number[]): number {
  const inside = points.filter((p) => p.every((v, i) => v > reference[i]!))
  if (inside.length === 0) return 0
  const last = reference.length - 1
  if (last === 0) return Math.max(...inside.map((p) => p[0]!)) - reference[0]!
  const sorted = [...inside].sort((a, b) => b[last]! - a[last]!)
  let volume = 0
  for (let i = 0; i < sorted.length; i++) {
    const depth = sorted[i]![last]! - (sorted[i + 1]?.[last] ?? reference[last]!)
    if (depth > 0) volume += depth * hypervolume(sorted.slice(0, i + 1).map((p) => p.slice(0, last)), reference.slice(0, last))
  }
  return volume
}
