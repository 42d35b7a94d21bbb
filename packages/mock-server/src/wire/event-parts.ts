import type { Answer } from '../answer/answer.js'
import { asciiJson } from '../http/response.js'

let made = ''
let madeOf: readonly [model: string, created: number, object: string] = ['', 0, '']

/**
 * The part of every event from its object type to its choices. The last one made is kept, since the next answer is most
 * often by the same model in the same second.
 */
export function eventMiddle({ model, created }: Answer, object: string): string {
  if (madeOf[0] !== model || madeOf[1] !== created || madeOf[2] !== object) {
    made = ['","object":"', object, '","created":', created, ',"model":', asciiJson(model), ',"choices":['].join('')
    madeOf = [model, created, object]
  }
  return made
}

/**
 * Joins text to one flat string. By `+` it would be a tree of pieces that is walked again for every event that it is
 * part of.
 */
export function flat(...pieces: string[]): string {
  return pieces.join('')
}
