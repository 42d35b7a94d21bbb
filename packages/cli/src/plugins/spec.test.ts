import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSpec } from './spec.js'

const folder = mkdtempSync(join(tmpdir(), 'aiperf-spec-'))
writeFileSync(join(folder, 'acme-1.0.0.tgz'), '')
mkdirSync(join(folder, 'acme'))

describe('what may be installed', () => {
  test.each([
    ['acme', { type: 'registry', name: 'acme', tag: 'latest' }],
    ['@acme/x', { type: 'registry', name: '@acme/x', tag: 'latest' }],
    ['@acme/x@1.2.3', { type: 'registry', name: '@acme/x', tag: '1.2.3' }],
    ['acme@^1.2 || 2.x', { type: 'registry', name: 'acme', tag: '^1.2 || 2.x' }],
    ['acme@next', { type: 'registry', name: 'acme', tag: 'next' }],
    ['acme-1.0.0.tgz', { type: 'tarball', path: join(folder, 'acme-1.0.0.tgz') }],
    ['./acme-1.0.0.tgz', { type: 'tarball', path: join(folder, 'acme-1.0.0.tgz') }],
    ['file:acme', { type: 'folder', path: join(folder, 'acme') }],
    ['./acme', { type: 'folder', path: join(folder, 'acme') }],
    ['.', { type: 'folder', path: folder }],
    ['https://example.com/acme-1.0.0.tgz', { type: 'url' }],
    ['github:acme/x#v1', { type: 'git', text: 'github:acme/x#v1' }],
    ['acme/x', { type: 'git', text: 'github:acme/x' }],
    ['https://github.com/acme/x', { type: 'git', text: 'git+https://github.com/acme/x' }],
    ['https://example.com/acme.git#main', { type: 'git', text: 'git+https://example.com/acme.git#main' }],
    ['git@example.com:acme/x.git', { type: 'git', text: 'git+ssh://git@example.com/acme/x.git' }],
  ])('%s', (text, expected) => {
    expect(readSpec(text, folder)).toMatchObject(expected)
  })

  test('nothing else', () => {
    expect(() => readSpec('./none', folder)).toThrow(/\.\/none does not exist/)
    expect(() => readSpec('two words', folder)).toThrow(/is nothing that can be installed/)
  })
})
