import { defineAccuracyGrader } from '@aiperf/core'
import { numberGrade } from './answer/number.js'

export default defineAccuracyGrader({ create: () => ({ grade: numberGrade }) })
