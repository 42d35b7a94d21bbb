import { expect, test } from 'vitest'
import { keysOf } from './keys.js'

test.each([
  ['3', ['3']],
  ['\x1b', ['esc']],
  ['\x03', ['ctrl-c']],
  ['\x1b[Aq', ['up', 'q']],
  ['\x1b[5~\x1b[6~', ['page-up', 'page-down']],
  ['\x1b[1;5Cx', ['x']],
])('%j', (input, names) => expect(keysOf(input)).toEqual(names))
