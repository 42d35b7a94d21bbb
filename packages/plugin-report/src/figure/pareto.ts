/**
 * Indexes of the points that no other point beats: one that is at least as good on both axes and better on one. Points
 * without two finite values are never among them. By ascending x.
 */
export function paretoFront(points: readonly { x: number; y: number }[], xLarger: boolean, yLarger: boolean): number[] {
  const sx = xLarger ? -1 : 1
  const sy = yLarger ? -1 : 1
  const order = points.flatMap(({ x, y }, i) => (Number.isFinite(x) && Number.isFinite(y) ? [i] : [])).sort((a, b) => sx * (points[a]!.x - points[b]!.x) || sy * (points[a]!.y - points[b]!.y))
  const front: number[] = []
  let best = Infinity
  let bestX = Number.NaN
  for (const i of order) {
    const { x, y } = points[i]!
    const equal = front.length > 0 && x === bestX && sy * y === best
    if (sy * y < best || equal) {
      front.push(i)
      best = sy * y
      bestX = x
    }
  }
  return front.sort((a, b) => points[a]!.x - points[b]!.x)
}
