/**
 * A number in a CSV file: two decimals, and more where two would leave fewer than four significant digits. Never an
 * exponent from 1e-6 on; empty when there is no number.
 */
export function csvNumber(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return ''
  const size = Math.abs(value)
  if (size === 0) return '0.00'
  if (size < 1e-6 || size >= 1e21) return value.toExponential(3)
  const places = Math.max(2, 3 - Math.floor(Math.log10(size)))
  return value.toFixed(places).replace(/(\.\d\d\d*?)0+$/, '$1')
}
