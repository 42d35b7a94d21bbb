import { defineMetric } from '@aiperf/core'

export default defineMetric({
  kind: 'record',
  tag: 'acme_name_longest_gap',
  header: 'Acme Name Longest Gap',
  shortHeader: 'Longest Gap',
  unit: 'ns',
  displayUnit: 'ms',
  gates: ['streaming', 'tokens'],
  order: 410,
  description: 'Longest wait between two chunks with tokens. max(tokens[i+1] − tokens[i]).',
  absence: 'every response had fewer than 2 chunks with tokens',
  compute({ tokenNs }) {
    // A number that has no value is absent, never 0 or NaN.
    if (tokenNs.length < 2) return undefined
    let longest = 0
    for (let i = 1; i < tokenNs.length; i++) longest = Math.max(longest, tokenNs[i]! - tokenNs[i - 1]!)
    return longest
  },
})
