import type { Problem } from '../errors.js'
import { ACCURACY_RULES } from './rules/accuracy.js'
import { DATASET_RULES } from './rules/dataset.js'
import { ENDPOINT_RULES } from './rules/endpoint.js'
import { LOAD_RULES } from './rules/load.js'
import { RESULT_RULES } from './rules/results.js'
import { TELEMETRY_RULES } from './rules/telemetry.js'
import { listOf, type Rule, type RunView } from './run-view.js'

/** Rules between options of different owners. What concerns one contribution alone is its own `check`. */
const RULES: readonly Rule[] = [...ENDPOINT_RULES, ...DATASET_RULES, ...ACCURACY_RULES, ...LOAD_RULES, ...RESULT_RULES, ...TELEMETRY_RULES]

/** Every rule that is broken. */
export function brokenRules(view: RunView): Problem[] {
  return RULES.flatMap((rule) => listOf(rule(view)))
}
