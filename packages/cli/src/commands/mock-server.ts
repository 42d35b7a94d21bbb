import { Command, Flags, type Interfaces } from '@oclif/core'
import { MOCK_SERVER_OPTIONS, optionsFromFlags, PROGRAM_PORT, startMockServer, type OptionDescription } from '@aiperf/mock-server'
import { ConfigurationError } from '@aiperf/core'

/** Headings of help, by where the options stand. */
const GROUPS: Readonly<Record<string, string>> = { model: 'batching', faults: 'fault' }

/** A flag of the server's own table of options. Values stay text: the server reads and checks them. */
function flagOf(option: OptionDescription) {
  const standard = option.flag === 'port' ? PROGRAM_PORT : option.default
  const description = `${option.help}${standard === undefined || standard === '' || standard === false ? '' : ` [default: ${String(standard)}]`}`
  const group = GROUPS[option.name.split('.')[0]!]
  const common = { description, ...(group === undefined ? {} : { helpGroup: group }) }
  if (option.type === 'boolean') return Flags.boolean({ ...common, allowNo: option.default === true })
  return Flags.string({ ...common, helpValue: option.choices ? option.choices.join('|') : `<${option.type}>` })
}

export default class MockServer extends Command {
  static override summary = 'Serve an OpenAI-compatible API that answers with made-up text, at set times.'
  static override description = 'The address is printed on stdout as one line of JSON when the server listens. Ctrl-C ends it.'
  static override usage = 'mock-server [FLAGS]'
  static override examples = ['<%= config.bin %> mock-server --ttft-ms 50 --itl-ms 5', '<%= config.bin %> mock-server --batching-max-running 16 --fault-error-rate 0.01']
  static override flags = Object.fromEntries(MOCK_SERVER_OPTIONS.map((option) => [option.flag, flagOf(option)])) as Interfaces.FlagInput

  async run(): Promise<void> {
    const { flags } = await this.parse(MockServer)
    const server = await start(flags).catch(asProblems)
    process.stdout.write(`${JSON.stringify({ url: server.url, port: server.port, pid: process.pid })}\n`)
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve())
      process.once('SIGTERM', () => resolve())
    })
    await server.close()
  }
}

const start = async (flags: Readonly<Record<string, unknown>>) => startMockServer({ port: PROGRAM_PORT, ...optionsFromFlags(flags) })

/** The server's own names of its options, as flags. */
function withFlags(message: string): string {
  return message.replace(/^[\w.]+(?=:)|\b[a-z]+(?:\.\w+|[A-Z]\w*)+/g, (name) => {
    const option = MOCK_SERVER_OPTIONS.find((o) => o.name === name)
    return option ? `--${option.flag}` : name
  })
}

function asProblems(error: Error & { problems?: readonly string[]; code?: string }): never {
  if (error.problems) throw new ConfigurationError(error.problems.map((message) => ({ flags: [], message: withFlags(message) })))
  if (error.code === 'EADDRINUSE') throw new ConfigurationError([{ flags: ['--port'], message: '--port: the port is in use.', hint: 'Choose another; --port 0 takes a free one.' }])
  throw error
}
