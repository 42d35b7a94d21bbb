import { ToolCommand } from '../tools/tool-command.js'

export default class AnalyzeTrace extends ToolCommand {
  static override tool = 'analyze-trace'
  static override summary = 'Say what a trace asks of a server: lengths, shared prefixes, cache hits, arrivals.'
}
