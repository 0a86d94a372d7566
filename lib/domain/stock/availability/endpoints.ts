/** The endpoint of available stock. `queries.ts` has its SQL. */

import { defineList } from '../../../kit/api/endpoint.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { stockTag } from '../tag.ts'
import { Availability } from './document.ts'
import { examples } from './examples.ts'
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
    'was there; other places have rows of what was there. `sku` finds archived variants too. Unarchived kits have rows at the main place and ' +
    'wherever a component has one: their `available_quantity` is how many whole kits the scarcest component allows, as the `data` of ' +
    '`kit.changed` says it.',
  filters: AvailabilityFilters,
  events: {
    'stock.changed':
      'Physical, quarantine, expired, reserved or expected quantity of a variant at a place changed: its levels over all batches.',
    'kit.changed':
      'Another number of a kit could be sold at a place, since its components or their stock changed. Published behind the `stock.changed` of the ' +
      'same write; `previous` is null where the kit had no row.',
  },
  refusals: [],
  reply: Availability.reply,
  page: ({ pool, tenantId }, page) => listAvailability(pool, { tenantId, ...page }),
})

export const availability = resource([], [listAvailabilityEndpoint], { examples })
