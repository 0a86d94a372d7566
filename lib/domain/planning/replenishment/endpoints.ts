/** The endpoint of replenishment: what to order and make so that no variant is short. */

import { defineRead } from '../../../kit/api/endpoint.ts'
import { isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { costOf, formatCost } from '../../../platform/decimal.ts'
import { arrayJson, microJson, plainJson } from '../json.ts'
import type { Part } from '../parts.ts'
import { variantJson } from '../row.ts'
import { planningTag } from '../tag.ts'
import { reachedFromCandidates, unknownVariant } from './queries.ts'
import { type Proposal, proposalsOf, type Replenished, reachedFromShort } from './replenishment-rules.ts'
import { Replenishment, ReplenishmentQuery } from './schemas.ts'

const ROWS_MAX = 5_000
/** The most short variants together with everything that their recipes use. */
const PARTS_MAX = 20_000

/** Refuses `validation_failed` for an absent place or variant, and `unprocessable` for more than `ROWS_MAX` rows. */
export const getReplenishmentEndpoint = defineRead({
  id: 'getReplenishment',
  path: '/replenishment',
  tag: planningTag,
  scope: 'read:stock',
  summary: 'What to order and make so that nothing is short',
  description:
    'Begins with all variants of which less is projected at the place than their minimum stock (less than 0, where none counts), and ' +
    'goes through the recipes of `GET /requirements` on all levels. Variants are netted together, by level: `net_quantity` is the ' +
    'minimum, plus what the proposals of other rows take, less what is projected. `order_quantity` is raised to the minimum and up to ' +
    "the next multiple of the preferred supplier's item, else of the variant. What is made passes the needs of `order_quantity` on " +
    'to its materials. Nothing is reserved or written. At most 5,000 rows, else 422 `unprocessable`.',
  query: ReplenishmentQuery,
  refusals: ['unprocessable'],
  reply: Replenishment,
  handle: async ({ pool, tenantId }, { query }) => {
    const { storage_place_id: storagePlaceId, item_variant_id: itemVariantIds } = query
    const unknownId = await unknownVariant(pool, { tenantId, itemVariantIds })
    if (unknownId !== null) return noSuch('item_variant_id', `variant ${unknownId}`)
    const { placeId, isMain, parts } = await reachedFromCandidates(pool, {
      ...{ tenantId, storagePlaceId, itemVariantIds },
      max: PARTS_MAX,
    })
    if (storagePlaceId !== undefined && placeId === null) return noSuch('storage_place_id', 'storage place')
    if (parts.length > PARTS_MAX) return tooMany(`the recipes of what is short reach more than ${PARTS_MAX} variants`)
    const bounded = parts.map(part => ({ ...part, bound: isMain ? (part.minimumStock ?? 0n) : 0n }))
    const proposals = proposalsOf(reachedFromShort(bounded, itemVariantIds ? new Set(itemVariantIds) : null))
    if (isRefusal(proposals)) return proposals
    if (proposals.length > ROWS_MAX) return tooMany(`more than ${ROWS_MAX} variants are to be ordered or made`)
    return `{"storage_place_id":${plainJson(placeId)},"rows":${arrayJson(proposals, rowJson)}}`
  },
})

const tooMany = (words: string): Refusal => refuse('unprocessable', `${words}: ask for some of them by item_variant_id`)

function rowJson({ component, level, dependent, net, order }: Proposal<Part & Replenished>): string {
  const isBought = component.materials === null
  const unitCost = isBought ? (component.preferred?.price ?? component.unitCost) : null
  const cost = unitCost === null ? 'null' : formatCost(costOf(order, unitCost))
  return (
    `{${variantJson(component, level)},"action":"${isBought ? 'BUY' : 'MAKE'}",` +
    `"projected_quantity":${microJson(component.projected)},"minimum_stock":${microJson(component.minimumStock)},` +
    `"dependent_quantity":${microJson(dependent)},"net_quantity":${microJson(net)},"order_quantity":${microJson(order)},` +
    `"supplier_id":${plainJson(component.preferred?.supplierId ?? null)},"supplier_item_id":${plainJson(component.preferred?.id ?? null)},` +
    `"lead_time_days":${component.ordering.leadTimeDays},` +
    `"unit_cost":${microJson(unitCost)},"cost":${cost}}`
  )
}

export const replenishment = resource([], [getReplenishmentEndpoint])
