import { ToolCommand } from '../../tools/tool-command.js'

export default class SynthesizeAgenticCode extends ToolCommand {
  static override tool = 'synthesize-agentic-code'
  static override summary = 'Make up a trace of coding agents.'
}
