import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aiperf, emptyFolder } from './program.js'

interface Case {
  name: string
  args: string[]
  files?: Record<string, string>
  expect: { exit: number; stderr_contains?: (string | string[])[]; output_not_contains?: string[] }
}
const folder = join(import.meta.dirname, 'cases')
const cases = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Case)

describe.concurrent('command lines that must be refused, or fail', () => {
  test.each(cases)('$name', async ({ args, files = {}, expect: expected }) => {
    const cwd = emptyFolder()
    for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
    const { code, stdout, stderr } = await aiperf(args, { cwd })
    expect(code).toBe(expected.exit)
    const text = stderr.toLowerCase()
    for (const words of expected.stderr_contains ?? []) expect([words].flat().some((word) => text.includes(word.toLowerCase())), `${String(words)} in ${stderr}`).toBe(true)
    for (const words of expected.output_not_contains ?? []) expect(stdout + stderr).not.toContain(words)
    expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/)
    if (expected.exit === 2) expect(stdout).toBe('')
  })
})
