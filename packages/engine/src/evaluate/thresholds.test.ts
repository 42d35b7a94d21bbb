import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { THRESHOLDS } from './thresholds.js'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/verdict.md'), 'utf8')

it('every threshold stands in docs/verdict.md as it is', () => {
  for (const [name, row] of Object.entries(THRESHOLDS) as [string, { note?: number; suspect?: number; invalid?: number; unit: string; meaning: string }][])
    expect(page).toContain(`| \`${name}\` | ${row.note ?? ''} | ${row.suspect ?? ''} | ${row.invalid ?? ''} | ${row.unit} | ${row.meaning} |`)
})

it('every reason is explained there, with what to do', () => {
  const codes = readdirSync(import.meta.dirname)
    .filter((name) => /^verdict-\w+\.ts$/.test(name))
    .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/code: '([\w-]+)'/g)].map((match) => match[1]!))
  expect(codes.length).toBeGreaterThan(15)
  for (const code of codes) expect(page).toMatch(new RegExp(`\\| \`${code}\` \\| .{15,} \\| .{5,} \\|`))
})
