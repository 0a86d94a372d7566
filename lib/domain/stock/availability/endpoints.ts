/**
 * The endpoint of what is available. It declares; what runs is in `queries.ts`.
 */

import { defineList } from '../../../kit/api/endpoint.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { stockTag } from '../tag.ts'
import { Availability } from './document.ts'
import { listAvailability } from './queries.ts'
import { AvailabilityFilters } from './schemas.ts'

export const listAvailabilityEndpoint = defineList({
  id: 'listAvailability',
  path: '/availability',
  tag: stockTag,
  scope: 'read:stock',
  summary: 'List what is available',
  description:
    'One row per variant and storage place (or none) over all batches: how many of a sku can be sold or used now. Ascending by ' +
    'variant, then place, stock without a place first. A row is the `data` of the last `stock.changed` event of its variant and ' +
    'place. Of an unarchived variant that holds stock, the main place (no place, where there are none) has a row of zeros even where nothing ever ' +
    'was there; other places have rows of what was there. `sku` finds archived variants too.',
  filters: AvailabilityFilters,
  events: {
    'stock.changed':
      'Physical, quarantine, expired, reserved or expected quantity of a variant at a place changed: its levels over all batches.',
  },
  refusals: [],
  reply: Availability.reply,
  page: ({ pool, tenantId }, page) => listAvailability(pool, { tenantId, ...page }),
})

export const availability = resource([], [listAvailabilityEndpoint])
