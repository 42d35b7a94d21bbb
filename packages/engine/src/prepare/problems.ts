import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AiperfError, createRandom, type AccuracyProblem, type DatasetLoader, type EndpointMeta, type RunModel, type Session } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'

/** What the journal keeps of a problem, at the place of its conversation: what its answers are graded by. */
export interface KeptProblem {
  task: string
  gold: string
}
export const PROBLEMS = 'problems.json'

/** The problems of a benchmark as conversations of one turn. What they are graded by is written to `folder`. */
export async function problemLoader(host: Host, model: RunModel, endpoint: EndpointMeta, seed: number, folder: string): Promise<DatasetLoader> {
  const { benchmark: name, options, tasks, shots, cot, grader, graderOptions, systemPrompt } = model.accuracy!
  const random = (stream: string) => createRandom(seed, stream)
  const benchmark = await host.activate('accuracy_benchmark', name, { name, options, random, tasks, shots, cot })
  // A grader that cannot be used ends the run before it sends anything.
  await host.activate('accuracy_grader', grader, { options: graderOptions, random })
  const wanted = new Set(tasks.map(plain))
  return {
    async *load(source, report) {
      const kept: KeptProblem[] = []
      const ids = new Set<string>()
      const others = new Set<string>()
      const found = new Set<string>()
      try {
        for await (const problem of benchmark.problems(source, report)) {
          if (wanted.size > 0 && !wanted.has(plain(problem.task))) {
            others.add(problem.task)
            continue
          }
          found.add(plain(problem.task))
          const id = problem.id ?? `${problem.task}-${kept.length}`
          if (ids.has(id)) throw new AiperfError('E_DATASET', `The accuracy benchmark ${name} has two problems with the id ${JSON.stringify(id)}`, { hint: 'ids must be unique' })
          ids.add(id)
          kept.push({ task: problem.task, gold: problem.gold })
          yield sessionOf(problem, id, endpoint, systemPrompt)
        }
        refuseUnknown(tasks.filter((task) => !found.has(plain(task))), [...others, ...new Set(kept.map((p) => p.task))], name)
      } finally {
        writeFileSync(join(folder, PROBLEMS), JSON.stringify(kept))
      }
    },
  }
}

const plain = (task: string): string => task.toLowerCase().replaceAll(/[\s_-]+/g, '_')

function refuseUnknown(missing: readonly string[], there: readonly string[], name: string): void {
  if (missing.length === 0) return
  throw new AiperfError('E_DATASET', `The accuracy benchmark ${name} has no task ${missing.join(', ')}`, { hint: there.length > 0 ? `tasks: ${[...there].sort().join(', ')}` : 'drop --accuracy-tasks' })
}

/** Messages for endpoints that take a conversation, one text for others; the system message before either. */
function sessionOf({ messages, prompt, maxTokens, stop }: AccuracyProblem, id: string, { consumesSystemMessage }: EndpointMeta, systemPrompt: string | undefined): Session {
  const more = { maxTokens, ...(stop === undefined ? {} : { stop }) }
  const text = (content: string) => ({ texts: [{ contents: [content] }], ...more })
  if (!consumesSystemMessage) return { id, turns: [text(systemPrompt === undefined ? prompt : `${systemPrompt}\n\n${prompt}`)] }
  const own = messages.filter((message) => message.role === 'system').map((message) => message.content)
  const said = messages.filter((message) => message.role !== 'system')
  const system = systemPrompt ?? (own.length > 0 ? own.join('\n\n') : undefined)
  const [only] = said
  return { id, ...(system === undefined ? {} : { system }), turns: [said.length === 1 && only!.role === 'user' ? text(only!.content) : { rawMessages: said.map(({ role, content }) => ({ role, content })), ...more }] }
}
