import { expect, test } from 'vitest'

test('the generated pages of docs/ say what the sources say (node scripts/docs.mjs writes them)', async () => {
  const module = './docs.mjs'
  const { outdatedPages } = (await import(module)) as { outdatedPages(): Promise<{ file: string }[]> }
  expect((await outdatedPages()).map((page) => page.file)).toEqual([])
})
