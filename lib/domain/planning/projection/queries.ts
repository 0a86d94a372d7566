/** The SQL of a projection, in one statement: a variant, its stock, and the supply and demand of open documents. */
import * as v from 'valibot'
import { dayOf } from '../../../kit/days.ts'
import { type Micro, parseMicro } from '../../../platform/decimal.ts'
import { type Connection, fixedFragment, rows } from '../../../platform/postgres/postgres.ts'
import { variantRow } from '../../manufacturing/recipes/newest.ts'
import { preferredRow } from '../../purchasing/supplier-items/current.ts'
import { countingRecipe } from '../parts.ts'
import { placeParts, stockThere, usable } from '../place.ts'
import { demand, supplyByDate } from '../shortages/open-documents.ts'
import type { Source } from './projection-rules.ts'

/** The result of the statement. */
export type Position = {
  readonly today: string
  /** Null: there is no such place. */
  readonly placeId: string | null
  readonly hasPlaces: boolean
  /** Null: there is no such variant. */
  readonly variantId: string | null
  /** A kit has no stock of its own to project. */
  readonly isKit: boolean
  /** Physically there, neither quarantined nor expired. */
  readonly quantity: Micro
  readonly minimumStock: Micro | null
  /** The minimum stock that applies: that of the variant at the main place, else 0. */
  readonly bound: Micro
  /** Whether the variant has a recipe. */
  readonly isMade: boolean
  /** Days to buy the variant: of its preferred supplier's item, else the variant's own. */
  readonly leadTimeDays: number | null
  /** Sorted by date, those without a date last, then by id. */
  readonly sources: readonly Source[]
}

const PositionRow = v.object({
  today: v.string(),
  place_id: v.nullable(v.string()),
  has_places: v.boolean(),
  is_main: v.boolean(),
  variant_id: v.nullable(v.string()),
  is_kit: v.nullable(v.boolean()),
  quantity: v.string(),
  minimum_stock: v.nullable(v.string()),
  is_made: v.nullable(v.boolean()),
  lead_time_days: v.nullable(v.number()),
  source_type: v.nullable(v.string()),
  source_id: v.nullable(v.string()),
  number: v.nullable(v.string()),
  source_quantity: v.nullable(v.string()),
  due_date: v.nullable(v.string()),
})

/** The stock of a variant at the place that the query names, else at the main place. A tenant without places has stock without a place. */
export async function positionOf(
  connection: Connection,
  asked: { readonly tenantId: string; readonly itemVariantId: string; readonly storagePlaceId: string | undefined },
): Promise<Position> {
  const found = await connection.any(rows(PositionRow)`
    with ${placeParts({ ...asked, otherwise: 'main' })}
    select place.today::text as today, place.id::text as place_id, place.has_places, place.is_main,
      v.id::text as variant_id, v.components <> '[]' as is_kit, (${usable})::text as quantity, v.minimum_stock::text as minimum_stock,
      (select ${countingRecipe} is not null) as is_made, coalesce(preferred.lead_time_days, v.lead_time_days) as lead_time_days,
      d.source_type, d.source_id::text as source_id, d.number, d.quantity::text as source_quantity, d.day::text as due_date
    from place
    cross join lateral (select place.tenant_id, ${asked.itemVariantId}::bigint as id) r
    left join lateral (${fixedFragment(variantRow('r.tenant_id', 'r.id'))}) v on true
    left join lateral (${fixedFragment(preferredRow('r.tenant_id', 'r.id'))}) preferred on true
    ${stockThere}
    left join lateral (
      select e.source_type, e.source_id, e.number, sum(e.quantity) as quantity, ${fixedFragment(dayOf('e.due', 'r.tenant_id'))} as day
      from (select r.tenant_id, r.id as item_variant_id, place.key as place_key) p
      cross join lateral (
        select source_type, source_id, number, -quantity as quantity, due from (${demand}) needed
        union all
        select source_type, source_id, number, quantity, due from (${supplyByDate}) coming
      ) e
      group by e.source_type, e.source_id, e.number, day
    ) d on true
    order by d.day, d.source_id
  `)
  const [first] = found
  const minimumStock = first?.minimum_stock ? parseMicro(first.minimum_stock) : null
  return {
    today: first?.today ?? '',
    placeId: first?.place_id ?? null,
    hasPlaces: first?.has_places ?? false,
    variantId: first?.variant_id ?? null,
    isKit: first?.is_kit ?? false,
    quantity: parseMicro(first?.quantity ?? '0'),
    minimumStock,
    isMade: first?.is_made ?? false,
    leadTimeDays: first?.lead_time_days ?? null,
    bound: first?.is_main ? (minimumStock ?? 0n) : 0n,
    sources: found.flatMap(({ source_type, source_id, number, source_quantity, due_date }) =>
      source_type === null || source_id === null || number === null || source_quantity === null
        ? []
        : [
            {
              sourceType: source_type,
              sourceId: source_id,
              number,
              quantity: parseMicro(source_quantity),
              dueDate: due_date,
            },
          ],
    ),
  }
}
