/** Weighted values that rise with their order: pools neighbours that do not (pool adjacent violators, Barlow 1972). */
export function isotonic(values: readonly number[], weights: readonly number[]): number[] {
  const blocks: { sum: number; weight: number; count: number }[] = []
  for (const [i, value] of values.entries()) {
    blocks.push({ sum: value * weights[i]!, weight: weights[i]!, count: 1 })
    while (blocks.length > 1 && blocks.at(-2)!.sum / blocks.at(-2)!.weight >= blocks.at(-1)!.sum / blocks.at(-1)!.weight) {
      const last = blocks.pop()!
      const before = blocks.at(-1)!
      before.sum += last.sum
      before.weight += last.weight
      before.count += last.count
    }
  }
  return blocks.flatMap(({ sum, weight, count }) => new Array<number>(count).fill(sum / weight))
}
