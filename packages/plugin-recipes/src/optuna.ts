/** For command lines that name Optuna: its Gaussian process and this program's are one planner. */
export { default } from './bayesian.js'
