import type { RunModel, Ui } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'

/** The user interface the run asked for. `none` shows warnings and errors only, and needs no package. */
export async function openUi(host: Host, model: RunModel, interrupt: () => void): Promise<Ui> {
  if (model.ui.type === 'none') return silent(model.runtime.verbose)
  const title = `${model.models.join(', ')} · ${model.endpoint.type} · ${model.endpoint.urls.map((url) => new URL(url).host).join(', ')}`
  return host.activate('ui', model.ui.type, { stdout: process.stdout, stderr: process.stderr, title, intervalSeconds: model.ui.intervalSeconds, interrupt })
}

function silent(verbose: boolean): Ui {
  return {
    update() {},
    log(level, message) {
      if (verbose || level === 'warn' || level === 'error') process.stderr.write(`${level}: ${message}\n`)
    },
    async close() {},
  }
}
