/** The endpoint of promises: when a quantity can be delivered. */

import { defineRead, type Reader } from '../../../kit/api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { type Micro, parseMicro } from '../../../platform/decimal.ts'
import { arrayJson, microJson, plainJson } from '../json.ts'
import { COMPONENTS_MAX, oneVariant, reachedBy } from '../parts.ts'
import { positionAsked } from '../projection/endpoints.ts'
import { projectedDays } from '../projection/projection-rules.ts'
import type { Position } from '../projection/queries.ts'
import { needsOf } from '../requirements/netting-rules.ts'
import { planningTag } from '../tag.ts'
import { leadTimeOf, type Promised, promiseOf } from './promise-rules.ts'
import { DeliveryPromise, PromiseQuery } from './schemas.ts'

/**
 * Refuses as `positionAsked` does. Where the quantity has to be made, also as `needsOf` does, and `unprocessable` for more variants than
 * one calculation may have.
 */
export const getPromiseEndpoint = defineRead({
  id: 'getPromise',
  path: '/promise',
  tag: planningTag,
  scope: 'read:stock',
  summary: 'When a quantity can be delivered',
  description:
    'What can be promised for a day is the least that `GET /projection` projects for that day and all later ones, so a promise takes ' +
    'nothing from what is promised already. Supply that is due today or overdue counts from tomorrow on. With enough today, the date ' +
    'is today (STOCK). Else it is the first day with enough (SUPPLY), or the end of the lead time where that is earlier (LEAD_TIME). ' +
    "What is bought takes the lead time of its preferred supplier's item, else its own. What is made takes its own and the longest of " +
    'its materials that would be missing, over all levels of the recipes. Nothing is reserved: see `POST /reservations`.',
  query: PromiseQuery,
  exampleQuery: { item_variant_id: '1042', quantity: '40' },
  refusals: ['unprocessable'],
  reply: DeliveryPromise,
  handle: async ({ pool, tenantId }, { query }) => {
    const quantity = parseMicro(query.quantity)
    const position = await positionAsked(pool, tenantId, query)
    if (isRefusal(position)) return position
    const fromStock = promised(position, quantity, position.isMade ? null : position.leadTimeDays)
    if (fromStock.basis === 'STOCK' || !position.isMade) return json(position, quantity, fromStock)
    return pool.snapshot(async reader => {
      const position = await positionAsked(reader, tenantId, query)
      if (isRefusal(position)) return position
      const leadTimeDays = await leadTimeOfMade(reader, { tenantId, ...position }, quantity)
      return isRefusal(leadTimeDays)
        ? leadTimeDays
        : json(position, quantity, promised(position, quantity, leadTimeDays))
    })
  },
})

function promised(
  { sources, quantity: there, today }: Position,
  quantity: Micro,
  leadTimeDays: number | null,
): Promised {
  const days = projectedDays(sources, { today, quantity: there, isSupplySure: false })
  return promiseOf(days, { today, quantity, leadTimeDays })
}

async function leadTimeOfMade(
  reader: Omit<Reader, 'snapshot'>,
  { tenantId, variantId, placeId }: Position & { readonly tenantId: string; readonly variantId: string },
  quantity: Micro,
): Promise<number | null | Refusal> {
  const { parts } = await reachedBy(reader, {
    ...{ tenantId, storagePlaceId: placeId ?? undefined, otherwise: 'main' },
    start: oneVariant(variantId),
    max: COMPONENTS_MAX + 1,
  })
  const asked = parts.find(({ id }) => id === variantId)
  if (asked === undefined) return null
  if (parts.length > COMPONENTS_MAX + 1)
    return refuse('unprocessable', `item_variant_id: the recipes reach more than ${COMPONENTS_MAX} variants`)
  const needs = needsOf(parts, quantity)
  return isRefusal(needs) ? needs : leadTimeOf(asked, needs)
}

const json = (
  { variantId, placeId }: Position,
  quantity: Micro,
  { availableNow, date, basis, days }: Promised,
): string =>
  `{"item_variant_id":${plainJson(variantId)},"storage_place_id":${plainJson(placeId)},"quantity":${microJson(quantity)},` +
  `"available_now":${microJson(availableNow)},"promise_date":${plainJson(date)},"basis":${plainJson(basis)},` +
  `"days":${arrayJson(days, day => `{"date":"${day.date}","available_quantity":${microJson(day.available)}}`)}}`

export const promises = resource([], [getPromiseEndpoint])
