import { defineMetric, type AggregateMetric } from '@aiperf/core'
import { known, quotient } from './facts.js'

const blocks = (tag: string, header: string, description: string, fact: 'prefixHitBlocks' | 'prefixBlocks'): AggregateMetric => ({
  kind: 'aggregate',
  tag,
  header,
  unit: 'blocks',
  fold: 'sum',
  internal: true,
  group: 'none',
  description,
  absence: 'the dataset does not say which prompts share a prefix',
  compute: (r) => known(r[fact]),
})

/** What a perfect prefix cache of unlimited size would have hit. */
export default defineMetric(
  blocks('prefix_hit_blocks', 'Prefix Hit Blocks', 'Blocks of prompts whose prefix came earlier in the dataset.', 'prefixHitBlocks'),
  blocks('prefix_blocks', 'Prefix Blocks', 'All blocks of prompts.', 'prefixBlocks'),
  {
    kind: 'derived',
    tag: 'theoretical_prefix_cache_hit',
    header: 'Theoretical Prefix Cache Hit',
    unit: '%',
    requires: ['prefix_hit_blocks', 'prefix_blocks'],
    description: 'Share of prompt blocks that an unlimited prefix cache would hit, of successful requests. 100 × hit blocks / all blocks.',
    compute: (scope) => quotient(100 * scope.value('prefix_hit_blocks')!, scope.value('prefix_blocks')),
  },
)
