/** Headers that describe the body of the run's requests, or the connection: they are not the scrape's. */
const NOT_OURS = /^(content-.*|accept.*|host|connection|transfer-encoding|te|expect|upgrade)$/i

/**
 * The headers of a scrape: credentials of the run only where the run sends them anyway, then those given for scrapes.
 */
export function scrapeHeaders(address: string, urls: readonly string[], runHeaders: Readonly<Record<string, string>>, given: readonly (readonly [string, string])[]): Record<string, string> {
  const { origin } = new URL(address)
  const shared = urls.some((url) => URL.canParse(url) && new URL(url).origin === origin)
  const headers: Record<string, string> = {}
  if (shared) for (const [name, value] of Object.entries(runHeaders)) if (!NOT_OURS.test(name)) headers[name] = value
  for (const [name, value] of given) {
    for (const other of Object.keys(headers)) if (other.toLowerCase() === name.toLowerCase()) delete headers[other]
    headers[name] = value
  }
  return headers
}
