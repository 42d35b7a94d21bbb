import { describe, expect, it } from 'vitest'
import { besideJson, ofServer, ofUser } from './candidates.js'
import { scrapeHeaders } from './headers.js'

describe('where metrics are looked for', () => {
  it('is the root of the server when its URL carries the API path', () => {
    expect(ofServer('http://h:9000')!.urls).toEqual(['http://h:9000/metrics'])
    expect(ofServer('http://h:9000/')!.urls).toEqual(['http://h:9000/metrics'])
    expect(ofServer('h:9000')!.urls).toEqual(['http://h:9000/metrics'])
    expect(ofServer('https://h/v1')!.urls).toEqual(['https://h/metrics', 'https://h/v1/metrics'])
    expect(ofServer('https://h/v1/chat/completions?x=1#y')!.urls).toEqual(['https://h/metrics', 'https://h/v1/chat/completions/metrics'])
    expect(ofServer('https://h/team-a/v1')!.urls).toEqual(['https://h/team-a/metrics', 'https://h/team-a/v1/metrics', 'https://h/metrics'])
    expect(ofServer('https://h/proxy')!.urls).toEqual(['https://h/proxy/metrics', 'https://h/metrics'])
    expect(ofServer('https://h/metrics')!.urls).toEqual(['https://h/metrics'])
    expect(ofServer('grpc://h:8001')).toBeUndefined()
  })
  it("is also Triton's port beside Triton's", () => {
    expect(ofServer('http://h:8000')!.urls).toEqual(['http://h:8000/metrics', 'http://h:8002/metrics'])
  })
  it('is what the user says, else with /metrics appended', () => {
    expect(ofUser('http://h:9')).toMatchObject({ urls: ['http://h:9/metrics'], asked: true })
    expect(ofUser('http://u:p@h:9/federate')).toMatchObject({ urls: ['http://u:p@h:9/federate', 'http://u:p@h:9/federate/metrics'] })
    expect(ofUser('ftp://h')).toBe('ftp://h is no http: or https: URL')
  })
  it('is beside the JSON that TensorRT-LLM shows', () => {
    expect(besideJson('http://h/metrics')).toBe('http://h/prometheus/metrics')
    expect(besideJson('http://h/prometheus/metrics')).toBeUndefined()
  })
})

describe('headers of a scrape', () => {
  const run = { Authorization: 'Bearer k', 'Content-Type': 'application/json', Accept: 'text/event-stream', 'X-Tenant': 't' }
  it('are the credentials of the run where it sends them anyway, and nowhere else', () => {
    expect(scrapeHeaders('http://h:1/metrics', ['http://h:1/v1'], run, [])).toEqual({ Authorization: 'Bearer k', 'X-Tenant': 't' })
    expect(scrapeHeaders('http://h:2/metrics', ['http://h:1/v1'], run, [])).toEqual({})
  })
  it('are replaced by those given for scrapes', () => {
    expect(scrapeHeaders('http://h:1/metrics', ['http://h:1'], run, [['authorization', 'Basic x'], ['A', 'b']])).toEqual({ 'X-Tenant': 't', authorization: 'Basic x', A: 'b' })
  })
})
