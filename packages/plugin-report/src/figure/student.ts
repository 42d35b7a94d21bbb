/** Distribution of Student's t for a whole number of degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4). */
function within(t: number, degrees: number): number {
  const theta = Math.atan(t / Math.sqrt(degrees))
  const cos = Math.cos(theta)
  const odd = degrees % 2 === 1
  let term = odd ? cos : 1
  let sum = degrees === 1 ? 0 : term
  for (let k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= ((k - 1) / k) * cos * cos
    sum += term
  }
  return odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum
}

/** The t within which a share `level` of the distribution lies on both sides of 0. `level` 0.95 and 2 degrees: 4.303. */
export function studentT(level: number, degrees: number): number {
  let low = 0
  let high = 1
  while (within(high, degrees) < level) high *= 2
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (within(middle, degrees) < level) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Quantile of F with 2 and `m` degrees of freedom, which has a closed form. */
export const fisherF2 = (level: number, m: number): number => (m / 2) * ((1 - level) ** (-2 / m) - 1)
