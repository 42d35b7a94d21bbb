import { defineAccuracyGrader } from '@aiperf/core'
import { choiceGrader } from './answer/choice.js'
import { exactGrade } from './answer/exact.js'
import { mathGrade } from './answer/math.js'
import { numberGrade } from './answer/number.js'

const byLetter = choiceGrader('J')

/** Judges by the form of the right answer, so that one file can hold questions of several kinds. */
export default defineAccuracyGrader({
  create: () => ({
    grade(answer, gold) {
      const right = gold.trim()
      if (/^[A-J]$/.test(right)) return byLetter(answer, right)
      if (/####\s*\S+$/.test(right)) return numberGrade(answer, right)
      return /^-?[\d.,]+%?$/.test(right) || right.includes('\\') ? mathGrade(answer, right) : exactGrade(answer, right)
    },
  }),
})
