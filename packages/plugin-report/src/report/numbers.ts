import { brief, readable, readableSeconds } from '@aiperf/core/numbers'

/** A number as the console has it; a dash where there is none. */
export const shown = (value: number | undefined): string => (value === undefined || !Number.isFinite(value) ? '–' : readable(value))

export const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${brief((100 * part) / whole)} %`)

export const duration = (seconds: number | undefined): string => (seconds === undefined || !Number.isFinite(seconds) ? '–' : readableSeconds(seconds))
