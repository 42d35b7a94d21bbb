/**
 * Which of many points to draw, by index and in order: the largest hundredth of `most`-times-a-hundred, and an even choice
 * of the others. All of them when there are no more than `most`.
 */
export function thin(values: Float64Array, most: number): { indexes: number[]; left: number } {
  const present: number[] = []
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) present.push(i)
  if (present.length <= most) return { indexes: present, left: 0 }
  const extreme = new Set([...present].sort((a, b) => values[b]! - values[a]!).slice(0, Math.floor(most / 10)))
  const others = present.filter((i) => !extreme.has(i))
  const step = others.length / (most - extreme.size)
  const chosen = new Set(Array.from({ length: most - extreme.size }, (_, k) => others[Math.floor(k * step)]!))
  const indexes = present.filter((i) => extreme.has(i) || chosen.has(i))
  return { indexes, left: present.length - indexes.length }
}
