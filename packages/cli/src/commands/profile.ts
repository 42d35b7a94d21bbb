import { Command } from '@oclif/core/command'
import { profile } from '../profile/run.js'

export default class Profile extends Command {
  static override summary = 'Send load to an inference server and measure how it answers.'
  static override description = 'Every flag has a config key and an AIPERF_* variable of the same meaning; the command line wins.'
  static override examples = ['<%= config.bin %> profile --model my-model --url http://localhost:8000 --streaming --concurrency 8 --request-count 100']
  /** The flags are those of the installed plugins: read here, so that all problems are told at once. */
  static override strict = false

  run(): Promise<void> {
    return profile(this.argv, this.config)
  }
}
