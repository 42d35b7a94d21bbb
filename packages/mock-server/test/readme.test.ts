import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MOCK_SERVER_OPTIONS } from '../src/index.js'

test('the README has a row for every option, with its flag, default and meaning', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const option of MOCK_SERVER_OPTIONS) {
    const standard = option.default === undefined ? '–' : String(option.default)
    expect(readme).toContain(`| \`${option.name}\` | \`--${option.flag}\` | ${standard} | ${option.help}`)
  }
})
