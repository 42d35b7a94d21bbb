import { ensure, group, type Group } from '../checks.js'
import { randomOf, type Subject } from '../subject.js'

export function urlStrategySuite(subject: Subject<'url_strategy'>): Group[] {
  const make = (urls: number, inFlight = new Uint32Array(urls), seed = 1) => subject.create({ urls, inFlight: (url) => inFlight[url] ?? 0, random: randomOf(seed), now: () => 0 })
  return [
    group('choice', {
      'is one of the URLs, whatever became of requests': async () => {
        for (const urls of [1, 2, 5]) {
          const strategy = await make(urls)
          for (let session = 0; session < 100; session++) {
            const url = strategy.choose(session)
            ensure(Number.isInteger(url) && url >= 0 && url < urls, `choose(${session}) is ${url} of ${urls} URLs`)
            strategy.ended?.(url, session % 3 !== 0)
          }
        }
      },
      'the same seed gives the same choices': async () => {
        const [one, two] = [await make(4), await make(4)]
        for (let session = 0; session < 100; session++) ensure(one.choose(session) === two.choose(session), `two strategies of one seed differ at session ${session}`)
      },
    }),
  ]
}
