import type { AccuracyBenchmarkMeta } from '../../contracts/accuracy.js'
import type { EndpointMeta } from '../../contracts/endpoint.js'
import { conflict, type Rule } from '../run-view.js'

const BENCHMARK = '--accuracy-benchmark'

const benchmarkGiven: Rule = (view) =>
  view.given('accuracy.benchmark')
    ? undefined
    : [...view.chosen.values()]
        .filter(({ entry, value }) => entry.path.startsWith('accuracy.') && entry.owners.length === 0 && value !== false)
        .map(({ name }) => conflict([name, BENCHMARK], `${name} has no effect without ${BENCHMARK}: no answer is graded.`, `Give ${BENCHMARK} NAME, or drop ${name}.`))

/** The benchmark brings its own problems, or reads them from a file. */
const source: Rule = (view) => {
  const { benchmark } = view.selection
  if (!benchmark) return undefined
  const name = view.name('accuracy.benchmark')
  const fromFile = (benchmark.meta as unknown as AccuracyBenchmarkMeta).source === 'file'
  const [path] = ['dataset.path', 'dataset.records'].flatMap((key) => view.given(key) ?? [])
  const formats = ['dataset.type', 'dataset.publicDataset'].flatMap((key) => view.given(key) ?? [])
  const system = ['--system-prompt', '--system-prompt-file'].flatMap((flag) => view.flag(flag) ?? [])
  const refused = [
    ...system.map((given) => conflict([name, given.name], `${given.name} is for datasets; with ${name} the system message is that of the benchmark, or of --accuracy-system-prompt.`, `Give --accuracy-system-prompt instead of ${given.name}.`)),
    ...[...formats, ...(path && !fromFile ? [path] : [])].map((given) => conflict([name, given.name], `${name} ${benchmark.name} brings its own problems and cannot be combined with ${given.name}.`, `Drop ${given.name}${given === path ? `, or ask the problems of the file with ${BENCHMARK} file` : ''}.`)),
  ]
  return fromFile && !path ? [...refused, conflict([name, '--input-file'], `${name} ${benchmark.name} needs --input-file: the problems stand in a file.`, 'Give --input-file PATH.')] : refused
}

/** What the benchmark cannot do is refused, not ignored. */
const asked: Rule = (view) => {
  const { benchmark } = view.selection
  if (!benchmark) return undefined
  const { mostShots = 0, defaultCot } = benchmark.meta as unknown as AccuracyBenchmarkMeta
  const [shots, cot] = [view.given('accuracy.nShots'), view.given('accuracy.enableCot')]
  return [
    ...(shots && Number(shots.value) > mostShots
      ? [conflict([shots.name, BENCHMARK], `${shots.name} ${String(shots.value)} is more than the accuracy benchmark ${benchmark.name} can show: it has ${mostShots === 0 ? 'no solved examples' : `at most ${mostShots} solved examples for a question`}.`, mostShots === 0 ? `Drop ${shots.name}.` : `Give ${mostShots} or fewer.`)]
      : []),
    ...(cot && cot.value === true && defaultCot === undefined
      ? [conflict([cot.name, BENCHMARK], `${cot.name} has no effect: the accuracy benchmark ${benchmark.name} asks one way only.`, `Drop ${cot.name}, or ask for it with --accuracy-system-prompt.`)]
      : []),
  ]
}

const endpointAnswers: Rule = (view) => {
  const meta = view.selection.endpoint?.meta as unknown as EndpointMeta | undefined
  if (!view.selection.benchmark || !meta || (meta.producesTokens && meta.tokenizesInput)) return undefined
  return conflict([view.name('accuracy.benchmark'), '--endpoint-type'], `${view.name('accuracy.benchmark')} needs an endpoint that answers a text with a text; the endpoint type ${view.model.endpoint.type} does not.`, 'Choose another --endpoint-type, such as chat or completions.')
}

export const ACCURACY_RULES: readonly Rule[] = [benchmarkGiven, source, asked, endpointAnswers]
