import { Command } from '@oclif/core/command'
import { runTool } from './run-tool.js'

/** A command that is a tool of an installed package; help and flags are those of its manifest. */
export abstract class ToolCommand extends Command {
  /** Name of the tool. */
  static tool: string
  /** The flags are those that the tool declares: read there, so that all problems are told at once. */
  static override strict = false
  /** So that the framework does not miss its own parser. */
  override parsed = true

  async run(): Promise<void> {
    const { tool, id } = this.constructor as typeof ToolCommand
    await runTool(this.config, tool, this.argv, `aiperf ${id.replaceAll(':', ' ')}`)
  }
}
