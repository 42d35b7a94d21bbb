import { defineTelemetrySource, type OptionsSchema, type TelemetryContext } from '@aiperf/core'
import { Getter, inCompany } from '@aiperf/exposition/get'
import { ofServer, ofUser, type Wanted } from './discover/candidates.js'
import { openEndpoint, type EndpointContext } from './discover/endpoint.js'
import { scrapeHeaders } from './discover/headers.js'
import { judgeServer } from './families/judge.js'
import { liveServer } from './families/live.js'

interface Options {
  urls: string[]
  headers: [name: string, value: string][]
  intervalSeconds: number
  timeoutSeconds: number
  reachabilitySeconds: number
}

/** The metrics that servers show for Prometheus: of the servers under test by default, of others when asked. */
export default defineTelemetrySource<OptionsSchema<Options>>({
  judge: judgeServer,
  create(context: TelemetryContext<Options>) {
    const { options, urls, headers, tls, now, log } = context
    const getter = new Getter(tls)
    const endpoint: EndpointContext = {
      getter,
      now,
      log,
      headersFor: (address) => scrapeHeaders(address, urls, headers, options.headers),
      intervalMs: options.intervalSeconds * 1000,
      timeoutMs: options.timeoutSeconds * 1000,
      reachabilityMs: options.reachabilitySeconds * 1000,
    }
    return {
      live: liveServer,
      async discover(signal) {
        const targets = await inCompany(wantedOf(context).map((wanted) => (at) => openEndpoint(wanted, endpoint, at)), ({ absent }) => absent === undefined, signal)
        const distinct = targets.filter((target, i) => targets.findIndex((other) => other.name === target.name) === i)
        for (const { name, asked, absent } of distinct)
          if (absent !== undefined) log(asked ? 'warn' : 'info', `No server metrics from ${name}: ${absent}.${asked ? ' It is asked again.' : ''}`)
        return distinct
      },
      async stop() {
        getter.close()
      },
    }
  },
})

function wantedOf({ options, urls, log }: TelemetryContext<Options>): Wanted[] {
  const asked = options.urls.flatMap((address) => {
    const wanted = ofUser(address)
    if (typeof wanted !== 'string') return [wanted]
    log('warn', `--server-metrics: ${wanted}`)
    return []
  })
  const known = new Set(asked.map(({ first }) => first))
  const own = urls.flatMap((address) => ofServer(address) ?? []).filter(({ first }) => !known.has(first) && known.add(first))
  return [...own, ...asked]
}
