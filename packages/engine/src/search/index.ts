export { makePlan, type Plan, type PlanInput, type Resolution } from './plan.js'
