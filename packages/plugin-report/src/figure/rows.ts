/** A row of a chart's data. */
export type Row = Record<string, string | number | boolean | null>

/** Enough digits for any screen; shorter documents. */
export const short = (value: number): number => (value === 0 || !Number.isFinite(value) ? value : Number(value.toPrecision(6)))

/** `1,234`: counts in sentences. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`
