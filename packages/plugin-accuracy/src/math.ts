import { defineAccuracyGrader } from '@aiperf/core'
import { mathGrade } from './answer/math.js'

export default defineAccuracyGrader({ create: () => ({ grade: mathGrade }) })
