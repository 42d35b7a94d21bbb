export { makePlan, type Plan, type PlanInput, type Resolution } from './plan.js'
export { runPlan, type OrchestrationOutcome } from './orchestrate.js'
export type { SessionContext } from './session.js'
