import { defineAccuracyGrader } from '@aiperf/core'
import { exactGrade } from './answer/exact.js'

export default defineAccuracyGrader({ create: () => ({ grade: exactGrade }) })
