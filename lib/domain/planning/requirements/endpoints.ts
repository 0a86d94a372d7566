/** The endpoint of requirements: what a quantity of a variant needs. */

import { defineRead } from '../../../kit/api/endpoint.ts'
import { invalid, isRefusal, noSuch, refuse } from '../../../kit/api/errors.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { costOf, formatCost, formatMicro, parseMicro } from '../../../platform/decimal.ts'
import { variantIn } from '../../catalogue/by-sku.ts'
import { arrayJson, microJson, plainJson } from '../json.ts'
import { COMPONENTS_MAX, oneVariant, type Part, reachedBy } from '../parts.ts'
import { variantJson } from '../row.ts'
import { planningTag } from '../tag.ts'
import { type Need, requirementsOf } from './netting-rules.ts'
import { Requirements, RequirementsQuery } from './schemas.ts'

/**
 * Refuses `validation_failed` for absent references, for a variant without a recipe, for no place when the tenant has no place for
 * manufacturing, and as `requirementsOf` does; `unprocessable` for more variants than one calculation may have.
 */
export const getRequirementsEndpoint = defineRead({
  id: 'getRequirements',
  path: '/requirements',
  tag: planningTag,
  scope: 'read:stock',
  summary: 'What making so many would take',
  description:
    'Goes through the recipes that manufacturing orders would take (of the variant the newest, else of its item the newest) on ' +
    'all levels, and nets what is needed against what is available at the place, by default where a manufacturing order would ' +
    'be made. A variant is netted once all needs of it are summed, so a part that goes into several others takes its stock ' +
    'once: `net_quantity` is what is missing. What is missing is made where a recipe counts for it, and passes its needs on; ' +
    'else it is bought, from the supplier of the preferred supplier item if there is one. The own stock of the asked variant does not count. Nothing is reserved. At most 5,000 variants, else ' +
    '422 `unprocessable`.',
  query: RequirementsQuery,
  exampleQuery: { item_variant_id: '1042', quantity: '200' },
  refusals: ['unprocessable'],
  reply: Requirements,
  handle: async ({ pool, tenantId }, { query }) => {
    const itemVariantId = await variantIn(pool, tenantId, query)
    if (isRefusal(itemVariantId)) return itemVariantId
    const { storage_place_id: storagePlaceId } = query
    const { placeId, hasPlaces, parts } = await reachedBy(pool, {
      ...{ tenantId, storagePlaceId, otherwise: 'manufacturing' },
      start: oneVariant(itemVariantId),
      max: COMPONENTS_MAX + 1,
    })
    const asked = parts.find(({ id }) => id === itemVariantId)
    if (asked === undefined) return noSuch('item_variant_id', 'variant')
    if (storagePlaceId !== undefined && placeId === null) return noSuch('storage_place_id', 'storage place')
    if (hasPlaces && placeId === null)
      return invalid('storage_place_id', 'is required, since no storage place allows manufacturing')
    if (asked.materials === null) return invalid('item_variant_id', `${asked.name} has no recipe`)
    if (parts.length > COMPONENTS_MAX + 1)
      return refuse('unprocessable', `item_variant_id: the recipes reach more than ${COMPONENTS_MAX} variants`)
    const quantity = parseMicro(query.quantity)
    const found = requirementsOf(parts, quantity)
    if (isRefusal(found)) return found
    const { needs, isCoverable, maxQuantity } = found
    return (
      `{"item_variant_id":"${itemVariantId}","quantity":${formatMicro(quantity)},"storage_place_id":${plainJson(placeId)},` +
      `"is_coverable":${isCoverable},"max_quantity":${maxQuantity},"rows":${arrayJson(needs, rowJson)}}`
    )
  },
})

const nothingBought = { unitCost: null, preferred: null }

function rowJson({ component, level, gross, net, action }: Need<Part>): string {
  const { unitCost, preferred } = action === 'BUY' ? component : nothingBought
  const cost = unitCost === null ? 'null' : formatCost(costOf(net, unitCost))
  return (
    `{${variantJson(component, level)},"gross_quantity":${formatMicro(gross)},` +
    `"available_quantity":${formatMicro(component.available)},"net_quantity":${formatMicro(net)},"action":"${action}",` +
    `"supplier_id":${plainJson(preferred?.supplierId ?? null)},"supplier_item_id":${plainJson(preferred?.id ?? null)},` +
    `"unit_cost":${microJson(unitCost)},"cost":${cost}}`
  )
}

export const requirements = resource([], [getRequirementsEndpoint])
