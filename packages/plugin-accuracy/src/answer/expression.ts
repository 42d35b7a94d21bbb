/** Longer texts are no answers, and would keep the reader of nested brackets busy. */
const LONGEST = 300

/**
 * Value of an arithmetic expression, written plainly or in LaTeX: numbers, `+ - * / ^`, brackets, fractions, roots, π, %.
 * Undefined when it is anything else.
 */
export function valueOf(expression: string): number | undefined {
  if (expression.length > LONGEST) return undefined
  const text = plain(expression)
  let at = 0
  const eat = (sign: string): boolean => text.startsWith(sign, at) && ((at += sign.length), true)

  function sum(): number {
    let value = product()
    for (;;) {
      if (eat('+')) value += product()
      else if (eat('-')) value -= product()
      else return value
    }
  }
  function product(): number {
    let value = signed()
    for (;;) {
      if (eat('*')) value *= signed()
      else if (eat('/')) value /= signed()
      // 2π, 3√2, 2(3+4)
      else if (/^(?:\(|sqrt|pi)/.test(text.slice(at))) value *= power()
      else return value
    }
  }
  function signed(): number {
    if (eat('-')) return -signed()
    return eat('+') ? signed() : power()
  }
  function power(): number {
    const base = postfix()
    return eat('^') ? base ** signed() : base
  }
  function postfix(): number {
    const value = atom()
    return eat('%') ? value / 100 : value
  }
  function atom(): number {
    if (eat('(')) {
      const value = sum()
      return eat(')') ? value : Number.NaN
    }
    if (eat('sqrt')) return Math.sqrt(atom())
    if (eat('pi')) return Math.PI
    const number = /^(\d+\.?\d*|\.\d+)(e-?\d+)?/.exec(text.slice(at))
    if (!number) return Number.NaN
    at += number[0].length
    return Number(number[0])
  }
  const value = text === '' ? Number.NaN : sum()
  return at === text.length && Number.isFinite(value) ? value : undefined
}

const BRACED = String.raw`\{((?:[^{}]|\{[^{}]*\})*)\}`
const FRACTION = new RegExp(String.raw`\\frac\s*(?:${BRACED}|(\d))\s*(?:${BRACED}|(\d))`)
const ROOT = new RegExp(String.raw`\\sqrt\s*(?:${BRACED}|(\d+))`)

/** LaTeX as plain arithmetic; fractions and roots may stand in one another. */
function plain(expression: string): string {
  let text = expression
  for (let before = ''; before !== text; ) {
    before = text
    text = text
      .replace(FRACTION, (_, a?: string, b?: string, c?: string, d?: string) => `((${a ?? b})/(${c ?? d}))`)
      .replace(ROOT, (_, inside?: string, digits?: string) => `sqrt(${inside ?? digits})`)
  }
  return text
    .replaceAll(/\\(?:cdot|times)|×|·/g, '*')
    .replaceAll('\\div', '/')
    .replaceAll(/\\pi|π/g, 'pi')
    .replaceAll('√', 'sqrt')
    .replaceAll('−', '-')
    .replaceAll('**', '^')
    .replaceAll(/[{[]/g, '(')
    .replaceAll(/[}\]]/g, ')')
    .replaceAll(/\s+/g, '')
}
