/** The endpoint of shortages. `queries.ts` has its SQL. */

import { defineList } from '../../../kit/api/endpoint.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { planningTag } from '../tag.ts'
import { Shortage } from './document.ts'
import { listShortages } from './queries.ts'
import { ShortageFilters } from './schemas.ts'

export const listShortagesEndpoint = defineList({
  id: 'listShortages',
  path: '/shortages',
  tag: planningTag,
  scope: 'read:stock',
  summary: 'List what is short, and for whom',
  description:
    'One row per variant and storage place (or none) of which less is projected than is wanted, ascending by variant, then ' +
    'place, null first. `projected_quantity` is what is available plus what is expected. `below=zero` (default) lists where ' +
    'that is below 0, `below=minimum` also where it is below the `minimum_stock` of the variant. A minimum is held against the ' +
    'main place, or against stock without a place for a tenant without places; all other places against 0. A variant that ' +
    'never had stock there counts with zeros, unless it is archived or a service. `demand` says which open orders and reservations reserve it, ' +
    '`supply` which are to bring it; their quantities add up to `reserved_quantity` and `expected_quantity` in every answer.',
  filters: ShortageFilters,
  refusals: [],
  reply: Shortage.reply,
  page: ({ pool, tenantId }, page) => listShortages(pool, { tenantId, ...page }),
})

export const shortages = resource([], [listShortagesEndpoint])
