import type { IndexedPackage } from '@aiperf/core/host'
import type { Probed } from '@aiperf/conformance/probe'

/** What its author has to change, by what is wrong. */
const FOR_ITS_AUTHOR: Readonly<Record<NonNullable<Probed['fault']>, string>> = {
  manifest: '"aiperf.contributes" must name the module that the build writes, and the build must end with aiperf-manifest',
  import: 'the module must be importable by itself, as an ES module ("type": "module"); a dependency that is missing belongs under "dependencies"',
  create: 'create must work with default options, or refuse them with an AiperfError that says what is needed',
  hang: 'importing must not wait, and create must return or resolve; what takes long belongs into the thing that it makes',
  leak: 'timers, sockets and processes must be ended by stop or close, or not be made before they are needed',
  shape: 'the default export must be what a define function of @aiperf/core returns, and create must make all of its methods',
  api: 'state the number of the contract in "aiperf.api" and build against the matching @aiperf/core',
  crash: 'a module must not end the process',
}

/** What a user can do about a package, and what its author has to. */
export function remedy({ name, origin, directory }: Pick<IndexedPackage, 'name' | 'origin' | 'directory'>, fault?: Probed['fault']): string {
  const author = fault === undefined ? '' : ` For its author: ${FOR_ITS_AUTHOR[fault]}.`
  if (fault === 'api') return `Upgrade what the message says: \`aiperf plugins update ${name}\`, or aiperf itself.${author}`
  if (origin === 'linked') return `Mend it in ${directory}, or \`aiperf plugins unlink ${name}\`.${author}`
  if (origin === 'installed') return `Upgrade it (\`aiperf plugins update ${name}\`) or remove it (\`aiperf plugins uninstall ${name}\`).${author}`
  return `It comes with aiperf: install aiperf again, and report it.${author}`
}
