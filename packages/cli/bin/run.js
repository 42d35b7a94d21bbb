#!/usr/bin/env node
import { readdirSync, statSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * The bundle starts in a third of the time. In a checkout it may be missing, or older than what was compiled since: then
 * the compiled modules themselves are taken, of every package.
 */
function bundled() {
  const modified = (path) => statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (modified('../bundle/') === 0) return false
  if (modified('../tsconfig.json') === 0) return true
  return readdirSync(new URL('../..', import.meta.url)).every((name) => modified(`../../${name}/tsconfig.tsbuildinfo`) <= (modified(`../../${name}/bundle/`) || Infinity))
}

// Compiled code is kept between runs, where the runtime can (Node 22.8): threads learn of it by the environment.
const { directory } = module.enableCompileCache?.() ?? {}
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory

const place = bundled() ? '../bundle/' : '../dist/'
const { main } = await import(`${place}main.js`)
await main(process.argv.slice(2), fileURLToPath(new URL(place === '../bundle/' ? place : '..', import.meta.url)))
