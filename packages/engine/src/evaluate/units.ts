import type { Metric } from '@aiperf/core'

const DIVISORS: Readonly<Record<string, number>> = {
  'ns→us': 1e3,
  'ns→ms': 1e6,
  'ns→sec': 1e9,
  'ns→s': 1e9,
  'us→ms': 1e3,
  'ms→sec': 1e3,
  'ms→s': 1e3,
  'sec→ms': 1e-3,
  's→ms': 1e-3,
  'B→KB': 1024,
  'bytes→KB': 1024,
  'B→MB': 1024 ** 2,
  'bytes→MB': 1024 ** 2,
}

/** What values of a metric are divided by for display; undefined when no way leads from its unit to its display unit. */
export function displayDivisor(metric: Pick<Metric, 'unit' | 'displayUnit'>): number | undefined {
  const { unit, displayUnit } = metric
  return displayUnit === undefined || displayUnit === unit ? 1 : DIVISORS[`${unit}→${displayUnit}`]
}
