import { createRequire } from 'node:module'
import type { Command } from '@oclif/core'
import { installedPlugins } from './installed.js'
import { profileHelp } from './profile/help.js'

const { Help } = createRequire(import.meta.url)('@oclif/core/help') as typeof import('@oclif/core/help')

/** The framework's help, except for `profile`, whose flags are those of the installed packages. */
export default class AiperfHelp extends Help {
  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    if (command.id !== 'profile') return super.showCommandHelp(command)
    const examples = (command.examples ?? []).map((example) => String(typeof example === 'string' ? example : example.command).replace('<%= config.bin %>', this.config.bin))
    process.stdout.write(profileHelp(installedPlugins(this.config), { summary: command.summary ?? '', description: command.description ?? '', examples }))
  }
}
