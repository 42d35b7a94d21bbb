import { defineAccuracyGrader } from '@aiperf/core'
import { choiceGrader } from './answer/choice.js'

export default defineAccuracyGrader({ create: () => ({ grade: choiceGrader('D') }) })
