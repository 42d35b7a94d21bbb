// Starts a program with inherited output, on any platform, and waits for its exit code.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './packages.mjs'

export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
}

/** Runs `npx`. On Windows it is a batch file, which only a shell starts; the arguments are our own constants. */
export function npx(args, options = {}) {
  const windows = process.platform === 'win32'
  return run(windows ? 'npx.cmd' : 'npx', args, { shell: windows, ...options })
}

/** Runs a program that a development dependency of the root brings, with this very Node. */
export function tool(packageName, args, options = {}, binary = packageName) {
  const manifestPath = createRequire(join(root, 'package.json')).resolve(`${packageName}/package.json`)
  const { bin } = createRequire(manifestPath)(manifestPath)
  const file = typeof bin === 'string' ? bin : bin[binary]
  return run(process.execPath, [join(dirname(manifestPath), file), ...args], options)
}
