import { ToolCommand } from '../tools/tool-command.js'

export default class Validate extends ToolCommand {
  static override tool = 'validate'
  static override summary = 'Read a dataset as a run would, and say what it holds and what is wrong with it.'
}
