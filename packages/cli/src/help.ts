import { createRequire } from 'node:module'
import type { Command } from '@oclif/core'
import { installedPlugins } from './installed.js'
import { profileHelp } from './profile/help.js'
import { toolHelp, toolOf } from './tools/help.js'

const { Help } = createRequire(import.meta.url)('@oclif/core/help') as typeof import('@oclif/core/help')

/** The framework's help, except for commands whose flags are those of the installed packages. */
export default class AiperfHelp extends Help {
  #argv: string[] = []

  override async showHelp(argv: string[]): Promise<void> {
    this.#argv = argv
    return super.showHelp(argv)
  }

  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    const index = installedPlugins(this.config)
    if (command.id === 'profile') {
      const examples = (command.examples ?? []).map((example) => String(typeof example === 'string' ? example : example.command).replace('<%= config.bin %>', this.config.bin))
      process.stdout.write(profileHelp(index, { summary: command.summary ?? '', description: command.description ?? '', examples }))
      return
    }
    const tool = toolOf(index, command, this.#argv.filter((word) => word !== 'tool'))
    if (!tool) return super.showCommandHelp(command)
    process.stdout.write(toolHelp(index, tool, command.id === 'tool' ? `aiperf tool ${tool.name}` : `aiperf ${command.id.replaceAll(':', ' ')}`))
  }
}
