import type { Json, Overlay, Point, Scenario } from '@aiperf/core'

/** A point of a sweep: what it is called, the values that make it up, and what it changes of the run. */
export interface PlannedCell {
  name?: string
  values: Point
  overlay: Overlay
}

type Lists = Readonly<Record<string, readonly Json[]>>

const cellOf = (entries: (readonly [string, Json])[]): PlannedCell => {
  const values = Object.fromEntries(entries)
  return { values, overlay: { values } }
}

/** Each value with each other. Paths in alphabetical order, the last varies fastest. */
export function gridCells(parameters: Lists): PlannedCell[] {
  let rows: (readonly [string, Json])[][] = [[]]
  for (const path of Object.keys(parameters).sort()) rows = rows.flatMap((row) => parameters[path]!.map((value) => [...row, [path, value] as const]))
  return rows.map(cellOf)
}

/** The first values together, then the second ones, and so on. All lists have one length. */
export function zipCells(parameters: Lists): PlannedCell[] {
  const paths = Object.keys(parameters).sort()
  const length = parameters[paths[0]!]!.length
  return Array.from({ length }, (_, i) => cellOf(paths.map((path) => [path, parameters[path]![i]!] as const)))
}

/** Named points. What a name stands for is in its overlay; its values are those that are known by path. */
export function scenarioCells(scenarios: readonly Scenario[]): PlannedCell[] {
  return scenarios.map(({ name, overlay, values }) => ({ name, overlay, values }))
}
