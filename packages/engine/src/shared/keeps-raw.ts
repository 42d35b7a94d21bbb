import type { RunModel } from '@aiperf/core'

/** Whether the run keeps requests and responses in full beside the journal: files are made of them, or grades. */
export const keepsRaw = ({ artifacts, accuracy }: RunModel): boolean => artifacts.level === 'raw' || artifacts.outputsJson || accuracy !== undefined
