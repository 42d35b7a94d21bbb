/** What JSON can say, and integers of more digits than a double holds. */
export type BigJson = null | boolean | number | bigint | string | undefined | readonly BigJson[] | { readonly [key: string]: BigJson }

/** Marked digits, as `JSON.stringify` writes the mark. */
const MARK = /"\\u0001(-?\d+)"/g

/** `JSON.stringify` with bigints as numbers and numbers that are not finite left out (null in lists). */
export function bigJson(value: BigJson, indent?: number): string {
  const text = JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? `\u0001${v}` : typeof v === 'number' && !Number.isFinite(v) ? undefined : v), indent)
  return text.replace(MARK, '$1')
}
