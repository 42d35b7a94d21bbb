import { ConfigurationError, type Target } from '@aiperf/core'

/** Where the invocations of a SageMaker endpoint go. */
export interface Place {
  target: Target
  region: string
  /** Path of the endpoint: `/endpoints/<name>`. */
  path: string
}

/**
 * Reads `sagemaker://<region>/<endpoint name>`, or the HTTP(S) URL of a runtime with `/endpoints/<name>` in its path. What
 * stands behind the name (the path of a chat endpoint, say) has no meaning there.
 */
export function placeOf(given: Target, region: string): Place {
  const { url } = given
  const parts = url.pathname.split('/').filter((part) => part !== '')
  if (url.protocol === 'sagemaker:') {
    const [name] = parts
    if (url.hostname === '' || name === undefined) throw wrong(url)
    const host = `runtime.sagemaker.${url.hostname}.amazonaws.com${url.hostname.startsWith('cn-') ? '.cn' : ''}`
    return { target: { ...given, url: new URL(`https://${host}/`) }, region: url.hostname, path: `/endpoints/${name}` }
  }
  const at = parts.indexOf('endpoints')
  const name = at < 0 ? undefined : parts[at + 1]
  const found = /^runtime(?:-fips)?\.sagemaker\.([a-z0-9-]+)\./.exec(url.hostname)?.[1] ?? region
  if (name === undefined) throw wrong(url)
  if (found === '') throw new ConfigurationError([{ flags: ['--url'], message: `The AWS region of ${url.href} is not known.`, hint: 'Give sagemaker://<region>/<endpoint name>, or set AWS_REGION.' }])
  return { target: { ...given, url: new URL(url.origin) }, region: found, path: `/${[...parts.slice(0, at), 'endpoints', name].join('/')}` }
}

function wrong(url: URL): ConfigurationError {
  return new ConfigurationError([{ flags: ['--url'], message: `${url.href} names no SageMaker endpoint.`, hint: 'Give sagemaker://<region>/<endpoint name>, or https://runtime.sagemaker.<region>.amazonaws.com/endpoints/<endpoint name>.' }])
}
