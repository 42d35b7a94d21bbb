import { createRequire } from 'node:module'

/** Version of the program, as files and the user agent state it. */
export const VERSION: string = (createRequire(import.meta.url)('../../package.json') as { version: string }).version
