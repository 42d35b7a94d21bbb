import { ConfigurationError, type Json } from '@aiperf/core'
import type { Search } from './detected.js'

/** A word that stands for no path: look for what most servers send. */
const AUTOMATIC = 'text'

/** The search that a JMESPath expression (https://jmespath.org) stands for; a bad one is an error before the run. */
export async function responseSearch(expression: string): Promise<Search | undefined> {
  if (expression === AUTOMATIC || expression === '') return undefined
  const { compile, TreeInterpreter } = await import('@jmespath-community/jmespath')
  let compiled: ReturnType<typeof compile>
  try {
    compiled = compile(expression)
  } catch (error) {
    throw new ConfigurationError([
      { flags: ['endpoint.options.responseField'], message: `The response field ${JSON.stringify(expression)} is no JMESPath expression: ${(error as Error).message}`, hint: 'See https://jmespath.org; leave it out to have text, embeddings or rankings found by themselves.' },
    ])
  }
  return (body) => {
    try {
      return TreeInterpreter.search(compiled, body as never) as Json
    } catch {
      // A function was applied to a value of another type: nothing was found there.
      return null
    }
  }
}
