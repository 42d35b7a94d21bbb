/** What the host gives every criterion. */
export interface CriterionOptions {
  threshold: number
  /** Level of intervals, from the run's own options. */
  confidenceLevel?: number
}

/** Values of the runs that have one. */
export const valuesOf = (runs: readonly { value: number | undefined }[]): number[] => runs.flatMap(({ value }) => (value === undefined || !Number.isFinite(value) ? [] : [value]))
