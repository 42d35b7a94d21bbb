import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { choiceGrader } from './choice.js'
import { valueOf } from './expression.js'
import { mathGrade } from './math.js'
import { numberGrade } from './number.js'

describe('choice', () => {
  const grade = choiceGrader('J')
  it.each([
    ['B', 'B', false],
    ['(B)', 'B', false],
    ['**B**\nbecause of the leaves', 'B', false],
    ['B. Leaves', 'B', true],
    ['First I thought the answer is (A). No: the answer is (C).', 'C', false],
    ['The answer is: **D**', 'D', false],
    ['the answer is \\boxed{E}', 'E', false],
    ['Answer: F', 'F', true],
    ['So it has to be G', 'G', true],
    ['A dog is what I think of', '', true],
    ['I do not know', '', true],
    ['Beans', '', true],
    ['', '', true],
  ])('%j gives %j', (answer, actual, unparsed) => expect(grade(answer, actual || 'A')).toMatchObject({ actual, unparsed, passed: actual !== '' }))
  it('knows no letters beyond the last', () => expect(choiceGrader('D')('E', 'E')).toMatchObject({ actual: '', passed: false }))
})

describe('number', () => {
  it.each([
    ['6 × 7 is 42\n#### 42', '#### 42', '42', true, false],
    ['#### $1,250.00 in all', 'x\n#### 1250', '1250.00', true, false],
    ['so 3 and then -4.', '-4', '-4', true, true],
    ['41.9999999', '42', '41.9999999', true, true],
    ['none', '42', '', false, true],
    ['42', 'no number', '42', false, true],
  ])('%j for %j', (answer, gold, actual, passed, unparsed) => expect(numberGrade(answer, gold)).toEqual({ actual, passed, unparsed }))
})

describe('math', () => {
  it.each([
    ['\\boxed{\\dfrac{1}{2}}', '0.5'],
    ['\\boxed{\\frac12}', '\\frac{1}{2}'],
    ['\\boxed{\\frac{\\sqrt{3}}{2}}', '\\sqrt{3}/2'],
    ['$\\boxed{2\\pi}$', '\\pi\\cdot 2'],
    ['\\boxed{1,000}', '1000'],
    ['\\boxed{50\\%}', '50'],
    ['\\boxed{x = 5}', '5'],
    ['\\boxed{\\left(1, \\frac{4}{2}\\right)}', '(1,2)'],
    ['\\boxed{\\text{Evelyn}}', '\\text{Evelyn}'],
    ['\\boxed{90^\\circ}', '90'],
    ['a = \\boxed{1}, so b = \\boxed{2}', '2'],
    ['\\boxed{2^{10}}', '1024'],
    ['\\boxed{-\\frac{3}{4}}', '-0.75'],
    ['\\boxed{7}', 'It follows that \\boxed{7}.'],
    ['The final answer is 3.5.', '7/2'],
    ['so it is 12', '12'],
  ])('%j is right for %j', (answer, gold) => expect(mathGrade(answer, gold).passed).toBe(true))
  it.each([['\\boxed{3}', '4'], ['\\boxed{(1,2)}', '(2,1)'], ['\\boxed{[1,2)}', '(1,2)'], ['\\boxed{x+1}', 'x+2'], ['\\boxed{', '3'], ['', '3'], ['\\boxed{1,2}', '12']])('%j is wrong for %j', (answer, gold) => expect(mathGrade(answer, gold).passed).toBe(false))
  it('says when it had to look for the answer', () => expect([mathGrade('\\boxed{3}', '3'), mathGrade('3', '3')].map((grade) => grade.unparsed)).toEqual([false, true]))
})

describe('any text', () => {
  const graders = [choiceGrader('J'), numberGrade, mathGrade]
  it('is graded, and what is not there is not right', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), fc.string({ minLength: 1, maxLength: 20 }), (answer, gold) => {
      for (const grade of graders) {
        const { passed, actual, unparsed } = grade(answer, gold)
        expect([typeof passed, typeof actual, typeof unparsed]).toEqual(['boolean', 'string', 'boolean'])
        if (actual === '') expect(passed).toBe(false)
      }
    }))
  })
  it.each(['\\frac{'.repeat(3000), '{'.repeat(20_000), '\\boxed{'.repeat(5000), '((((((('.repeat(3000), '1,'.repeat(20_000), 'answer is '.repeat(5000), '\\sqrt'.repeat(5000), ' '.repeat(50_000)])('is graded soon and without a fault, however odd: %#', (text) => {
    for (const grade of graders) for (const answer of [text, `\\boxed{${text}}`]) expect(typeof grade(answer, '3').passed).toBe('boolean')
  }, 5000)
})

describe('expressions', () => {
  it('have the value of arithmetic', () => {
    const leaf = fc.integer({ min: 1, max: 99 }).map((n) => ({ text: String(n), value: n }))
    const { tree } = fc.letrec<{ tree: { text: string; value: number } }>((tie) => ({
      tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, fc.tuple(tie('tree'), tie('tree'), fc.constantFrom('+', '-', '*', '/', 'frac')).map(([a, b, sign]) => ({
        text: sign === 'frac' ? `\\frac{${a.text}}{${b.text}}` : `(${a.text})${sign === '*' ? '\\cdot ' : sign}(${b.text})`,
        value: sign === '+' ? a.value + b.value : sign === '-' ? a.value - b.value : sign === '*' ? a.value * b.value : a.value / b.value,
      }))),
    }))
    fc.assert(fc.property(tree, ({ text, value }) => {
      if (!Number.isFinite(value)) expect(valueOf(text)).toBeUndefined()
      else expect(Math.abs(valueOf(text)! - value)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value)))
    }))
  })
  it.each([['x+1'], [''], ['1+'], ['(1'], ['1/0'], ['two']])('%j has none', (text) => expect(valueOf(text)).toBeUndefined())
})
