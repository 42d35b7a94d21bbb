import type { Grade } from '@aiperf/core'
import { valueOf } from './expression.js'
import { lastNumber } from './number.js'

/**
 * The last `\boxed{}`, else what the answer is said to be, else the last number. It is right when it is the same text after
 * normalising, or has the same value; lists and intervals item by item.
 */
export function mathGrade(answer: string, gold: string): Grade {
  const boxed = lastBoxed(answer)
  const actual = boxed ?? calledAnswer(answer) ?? lastNumber(answer) ?? ''
  // The right answer may be a whole solution.
  const right = lastBoxed(gold) ?? gold
  return { passed: actual !== '' && same(normal(actual), normal(right)), unparsed: boxed === undefined, actual }
}

function lastBoxed(text: string): string | undefined {
  const start = Math.max(text.lastIndexOf('\\boxed{'), text.lastIndexOf('\\fbox{'))
  if (start < 0) return undefined
  const open = text.indexOf('{', start)
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return text.slice(open + 1, at).trim()
  }
  return undefined
}

/** Of what is called the answer, so much is read. */
const LONGEST = 300

function calledAnswer(text: string): string | undefined {
  const said = [...text.matchAll(/answer(?:\s+is|\s*[:=])([^\n]+)/gi)].at(-1)?.[1]
  // To the end of the sentence; a point between digits ends none.
  const sentence = said?.trim().split(/[.;](?:\s|$)/, 1)[0]!.slice(0, LONGEST).replaceAll(/^[\s:*$]+|[\s*$.]+$/g, '')
  return sentence || undefined
}

const LEFT_OUT = /\\(?:left|right|displaystyle|!|,|;|:| )|\\?\$|\^\{?\\circ\}?|°|~/g

/** What does not change the meaning is taken out. */
function normal(text: string): string {
  return text
    .replaceAll(/\\[dt]frac/g, '\\frac')
    .replaceAll(LEFT_OUT, '')
    .replaceAll(/\\(?:text|textbf|mathrm|mbox)\s*\{([^{}]*)\}/g, '$1')
    .replaceAll('\\%', '%')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replaceAll(/\s+/g, '')
    .replace(/^[a-zA-Z]=/, '')
    .replace(/\.$/, '')
}

/** Numbers may differ in their last digits. */
const NEAR = 1e-6

function same(a: string, b: string): boolean {
  if (a === b) return true
  const [items, others] = [itemsOf(a), itemsOf(b)]
  if (items.length > 1 || others.length > 1) return items.length === others.length && brackets(a) === brackets(b) && items.every((item, i) => same(item, others[i]!))
  const [x, y] = [valueOf(a), valueOf(b)]
  if (x === undefined || y === undefined) return false
  // 50 % is said as 50 and as 50%.
  return [y, ...(a.endsWith('%') === b.endsWith('%') ? [] : [y * 100, y / 100])].some((value) => Math.abs(x - value) <= NEAR * Math.max(1, Math.abs(value)))
}

const BRACKETS = /^(\\?[([{])(.*)(\\?[)\]}])$/

/** Items between commas that stand in no inner bracket. */
function itemsOf(text: string): string[] {
  const inside = BRACKETS.exec(text)?.[2] ?? text
  const items = ['']
  let depth = 0
  for (const sign of inside) {
    if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth--
    if (sign === ',' && depth === 0) items.push('')
    else items[items.length - 1] += sign
  }
  return items
}

function brackets(text: string): string {
  const found = BRACKETS.exec(text)
  return found ? `${found[1]}${found[3]}` : ''
}
