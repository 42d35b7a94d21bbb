import { expect, test } from 'vitest'
import { aiperf } from './program.js'

test('what a dataset says of its options is told with all other problems', async () => {
  const { code, stdout, stderr } = await aiperf(['profile', '--model', 'm', '--seq-dist', 'x;128,64:40', '--random-range-ratio', '3', '--concurrency', 'many', '--nope'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  for (const part of ['--nope is no flag', '--concurrency must be', '--seq-dist: cannot read "x"', '--random-range-ratio: expected at least 0 and below 1, got 3', '--random-range-ratio and --seq-dist both say', '--random-range-ratio needs --osl']) expect(stderr).toContain(part)
})

test('nothing is said of a flag that was refused already', async () => {
  const { code, stderr } = await aiperf(['profile', '--model', 'm', '--random-range-ratio', '0.5', '--isl', 'long', '--osl', '5'])
  expect(code).toBe(2)
  expect(stderr.match(/•/g)).toHaveLength(1)
  expect(stderr).toContain('--isl must be')
})
