/** The endpoint of projections: the stock of each future day, and its reasons. */

import { defineRead } from '../../../kit/api/endpoint.ts'
import { invalid, isRefusal, noSuch, type Refusal } from '../../../kit/api/errors.ts'
import { resource } from '../../../kit/documents/resources.ts'
import type { Connection } from '../../../platform/postgres/postgres.ts'
import { variantIn } from '../../catalogue/by-sku.ts'
import { arrayJson, microJson, plainJson, textJson } from '../json.ts'
import { planningTag } from '../tag.ts'
import { type ProjectedDay, projectedDays, type Source } from './projection-rules.ts'
import { type Position, positionOf } from './queries.ts'
import { Projection, ProjectionQuery } from './schemas.ts'

type Asked = {
  readonly item_variant_id?: string | undefined
  readonly sku?: string | undefined
  readonly storage_place_id?: string | undefined
}

/** The variant and place that a query asks for. Refuses `validation_failed` for an absent variant or place, and for a kit. */
export async function positionAsked(
  connection: Connection,
  tenantId: string,
  query: Asked,
): Promise<(Position & { readonly variantId: string }) | Refusal> {
  const itemVariantId = await variantIn(connection, tenantId, query)
  if (isRefusal(itemVariantId)) return itemVariantId
  const { storage_place_id: storagePlaceId } = query
  const position = await positionOf(connection, { tenantId, itemVariantId, storagePlaceId })
  const { variantId, placeId } = position
  if (variantId === null) return noSuch('item_variant_id', 'variant')
  if (position.isKit) return invalid('item_variant_id', 'is a kit, which holds no stock: ask for its components')
  if (storagePlaceId !== undefined && placeId === null) return noSuch('storage_place_id', 'storage place')
  return { ...position, variantId }
}

/** Refuses as `positionAsked` does. */
export const getProjectionEndpoint = defineRead({
  id: 'getProjection',
  path: '/projection',
  tag: planningTag,
  scope: 'read:stock',
  summary: 'What will be there, day by day',
  description:
    'Begins with what is physically there today, neither quarantined nor expired, and goes on with what open documents need and ' +
    'bring, on their days: the demand and supply of `GET /shortages`, by document and date. What is due before today and demand ' +
    'without a date count today. Supply without a date is listed in `undated_supply` and counts on no day.',
  query: ProjectionQuery,
  exampleQuery: { item_variant_id: '1042' },
  refusals: [],
  reply: Projection,
  handle: async ({ pool, tenantId }, { query }) => {
    const position = await positionAsked(pool, tenantId, query)
    if (isRefusal(position)) return position
    const { today, quantity, bound, sources } = position
    const days = projectedDays(sources, { today, quantity, isSupplySure: true })
    const firstBelow = (least: bigint) => days.find(({ projected }) => projected < least)?.date ?? null
    const undated = sources.filter(({ quantity, dueDate }) => quantity > 0n && dueDate === null)
    return (
      `{"item_variant_id":"${position.variantId}","storage_place_id":${plainJson(position.placeId)},` +
      `"quantity":${microJson(quantity)},"minimum_stock":${microJson(position.minimumStock)},` +
      `"days":${arrayJson(days, dayJson)},"undated_supply":${arrayJson(undated, sourceJson)},` +
      `"first_short_date":${plainJson(firstBelow(0n))},"first_below_minimum_date":${plainJson(firstBelow(bound))}}`
    )
  },
})

const dayJson = ({ date, supply, demand, projected, sources }: ProjectedDay): string =>
  `{"date":"${date}","supply_quantity":${microJson(supply)},"demand_quantity":${microJson(demand)},` +
  `"projected_quantity":${microJson(projected)},"sources":${arrayJson(sources, sourceJson)}}`

const sourceJson = ({ sourceType, sourceId, number, quantity, dueDate }: Source): string =>
  `{"source_type":"${sourceType}","source_id":"${sourceId}","number":${textJson(number)},` +
  `"quantity":${microJson(quantity)},"due_date":${plainJson(dueDate)}}`

export const projection = resource([], [getProjectionEndpoint])
