import { count } from '../../format.js'
import { clean } from '../../text.js'
import { left, right, type Line } from '../line.js'
import type { LiveModel } from '../model.js'

/** Kinds of errors, the most frequent first, each with its last message. */
export function errorsView(model: LiveModel, width: number, height: number): Line[] {
  const classes = model.snapshot?.errorClasses ?? []
  if (classes.length === 0) return [[['none', 'good']]]
  const longest = Math.min(Math.floor(width / 2), Math.max(...classes.map((e) => e.type.length)))
  const lines = classes.map((e): Line => [[right(count(e.count), 7), 'bad'], ['  '], [left(clean(e.type), longest), 'strong'], ['  '], [clean(e.message), 'dim']])
  return lines.length <= height ? lines : [...lines.slice(0, height - 1), [[`and ${lines.length - height + 1} more kinds: press e`, 'dim']]]
}
