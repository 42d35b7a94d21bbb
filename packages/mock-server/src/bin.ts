#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { MockServerOptionError } from './options/check.js'
import { optionsFromFlags, PROGRAM_PORT } from './options/flags.js'
import { MOCK_SERVER_OPTIONS } from './options/list.js'
import { startMockServer } from './server.js'

const flags = Object.fromEntries(
  MOCK_SERVER_OPTIONS.map(({ flag, type }) => [flag, { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) }]),
)

function help(): string {
  const lines = MOCK_SERVER_OPTIONS.map(({ flag, type, default: standard, help: text, choices }) => {
    const value = type === 'boolean' ? '' : ` ${choices ? choices.join('|') : type.toUpperCase()}`
    return `  --${flag}${value}\n      ${text}${standard === undefined ? '' : ` [${String(standard)}]`}`
  })
  return `aiperf-mock-server: an OpenAI-compatible server that answers with made-up text\n\n${lines.join('\n')}\n\n--port is ${PROGRAM_PORT} by default here. A flag that is true by default is switched off by --no-FLAG.\n`
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(help())
  const { values } = parseArgs({ options: flags, allowNegative: true, strict: true })
  const server = await startMockServer({ port: PROGRAM_PORT, ...optionsFromFlags(values) })
  // One line of JSON: a parent process reads the port from it.
  process.stdout.write(`${JSON.stringify({ url: server.url, port: server.port, pid: process.pid })}\n`)
  const stop = () => void server.close().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

main().catch((error: unknown) => {
  const known = error instanceof MockServerOptionError || (error as NodeJS.ErrnoException).code !== undefined
  process.stderr.write(`${known ? (error as Error).message : String((error as Error).stack)}\n`)
  process.exit(2)
})
