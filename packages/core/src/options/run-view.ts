import type { Head } from '../contracts/dataset.js'
import type { RunModel } from '../contracts/run.js'
import type { Problem } from '../errors.js'
import type { PluginIndex } from '../host/plugin-index.js'
import type { Chosen } from './chosen.js'
import type { Given } from './given.js'
import type { ResolvedPhase } from './phases.js'
import type { Selection } from './selection.js'
import type { OptionTable } from './table.js'

/** What a rule may look at: the values that were given, what they chose, and the model they make. */
export interface RunView {
  index: PluginIndex
  table: OptionTable
  chosen: Chosen
  selection: Selection
  phases: readonly ResolvedPhase[]
  model: RunModel
  /** The input file: its first bytes, or why it cannot be read. */
  input?: { head?: Head; reason?: string; hint?: string }
  /** What was given for a path of the body, e.g. `endpoint.urls`. */
  given(path: string): Given | undefined
  /** What was given by a flag (any of its names), a variable or a key of it. */
  flag(name: string): Given | undefined
  /** The option's name as the user wrote it, else its flag. */
  name(path: string): string
}

/** Finds what is wrong between several options. Pure. */
export type Rule = (view: RunView) => Problem | readonly Problem[] | undefined

/** A problem of several options at once. */
export const conflict = (names: readonly string[], message: string, hint?: string): Problem => ({ flags: [...names], message, ...(hint === undefined ? {} : { hint }) })

export const listOf = (found: ReturnType<Rule>): readonly Problem[] => (found === undefined ? [] : 'message' in found ? [found] : found)
