import { expect, test } from 'vitest'
import { REDACTED, redactHeader, withoutUserInfo } from './secrets.js'

test('secret headers are redacted, others are kept as they are', () => {
  const secret = ['Authorization', 'authorization', 'Proxy-Authorization', 'x-api-key', 'api-key', 'X-Goog-Api-Key', 'X-Subscription-Key', 'Cookie', 'set-cookie', 'X-Session-Affinity', 'X-Amz-Security-Token', 'X-Auth-Token', 'X-Client-Secret']
  for (const name of secret) expect(redactHeader(name, 'abc')).toBe(REDACTED)
  for (const name of ['Content-Type', 'X-Request-ID', 'User-Agent', 'Accept', 'x-ratelimit-remaining']) expect(redactHeader(name, 'abc')).toBe('abc')
})

test('every URL of a text loses its user and password', () => {
  expect(withoutUserInfo('http://u:p@h:1/a?b=c@d and https://t@i/')).toBe(`http://${REDACTED}@h:1/a?b=c@d and https://${REDACTED}@i/`)
})
