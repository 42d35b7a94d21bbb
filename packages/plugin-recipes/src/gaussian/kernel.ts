/** Matérn kernel with smoothness 5/2 and a length scale per dimension; 1 at distance 0 (Rasmussen and Williams 2006, 4.17). */
export function matern52(a: readonly number[], b: readonly number[], scales: readonly number[]): number {
  let square = 0
  for (let i = 0; i < a.length; i++) square += ((a[i]! - b[i]!) / scales[i]!) ** 2
  const r = Math.sqrt(5 * square)
  return (1 + r + (5 * square) / 3) * Math.exp(-r)
}
