import { described } from './convergence/threshold.options.js'

export default described(0.05)
