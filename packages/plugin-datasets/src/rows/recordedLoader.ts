import { defineDatasetLoader, type DatasetContext, type DatasetLoader, type LoadReport, type OptionsSchema, type Session, type Source } from '@aiperf/core'
import { tokensOf, type Distribution } from '../distributions/distribution.js'

export interface OutputLengthSettings {
  prompts?: { osl?: Distribution }
}

/** Defines a loader of recorded data: turns that state no output length get that of `--osl`. */
export const defineRecordedLoader = <Options extends OutputLengthSettings>(definition: { create(context: DatasetContext<Options>): DatasetLoader }) =>
  defineDatasetLoader<OptionsSchema<Options>>({
    create(context) {
      const loader = definition.create(context)
      const osl = context.options.prompts?.osl
      return osl ? { ...loader, load: (source, report) => withLengths(loader, context, osl, source, report) } : loader
    },
  })

async function* withLengths(loader: DatasetLoader, context: DatasetContext<OutputLengthSettings>, osl: Distribution, source: Source, report: LoadReport): AsyncGenerator<Session> {
  const draw = tokensOf(osl, 1)
  const random = context.random('dataset.output_length')
  let index = 0
  let used = false
  for await (const session of loader.load(source, report)) {
    const own = random.fork(index++)
    for (const [at, turn] of session.turns.entries()) {
      if (turn.maxTokens !== undefined || turn.rawPayload !== undefined) continue
      turn.maxTokens = draw(own.fork(at))
      used = true
    }
    yield session
  }
  if (index > 0 && !used) report.warn('--osl has no effect: every request of this dataset has an output length of its own, or is sent as it is')
}
