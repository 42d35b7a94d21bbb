/** Ticks of a logarithmic axis: powers of ten, with 2 and 5 between them when there is room. */
export function logTicks(low: number, high: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const steps = to - from <= 2 ? [1, 2, 5] : to - from <= 4 ? [1, 3] : [1]
  const ticks: number[] = []
  for (let power = from; power <= to; power++) for (const step of steps) ticks.push(Number((step * 10 ** power).toPrecision(2)))
  return ticks.filter((tick) => tick >= low / 1.5 && tick <= high * 1.5)
}
