/** The place of a planning question, and the stock there (docs/rules/planning.md). */

import { type Fragment, fixedFragment, sql } from '../../platform/postgres/postgres.ts'
import { manufacturingPlaceId } from '../places/manufacturing-place.ts'
import { clockPart, expiredNow } from '../stock/expired.ts'

/** The default place of each kind of question. */
const places = {
  main: `(select id from storage_places where tenant_id = q.tenant_id and is_main limit 1)`,
  manufacturing: manufacturingPlaceId,
}

export type AskedPlace = {
  readonly tenantId: string
  readonly storagePlaceId: string | undefined
  readonly otherwise: keyof typeof places
}

/**
 * Parts of a statement: `clock` (lib/domain/stock/expired.ts) and `place`, which has one row: `id` (null: there is no such place), `key` (0
 * for stock without a place), `has_places`, `is_main` (also true for a tenant without places), `today`, `currency`.
 */
export const placeParts = ({ tenantId, storagePlaceId, otherwise }: AskedPlace): Fragment => sql.fragment`
  ${clockPart(tenantId)}, place as materialized (
    select p.*, coalesce(p.id, 0) as key, (select today from clock) as today, (select currency from tenants where tenant_id = p.tenant_id limit 1) as currency,
      coalesce((select is_main from storage_places where tenant_id = p.tenant_id and id = p.id limit 1), not p.has_places) as is_main
    from (
      select q.tenant_id,
        case
          when q.named is null then ${fixedFragment(places[otherwise])}
          else (select id from storage_places where tenant_id = q.tenant_id and id = q.named limit 1)
        end as id,
        coalesce((select true from storage_places where tenant_id = q.tenant_id limit 1), false) as has_places
      from (select ${tenantId}::bigint as tenant_id, ${storagePlaceId ?? null}::bigint as named) q
      offset 0
    ) p
  )`

/**
 * Joins the stock at `place` to the variant `r` (`tenant_id, id`): the balance `b`, `l.reserved_quantity` and `l.expected_quantity`, and
 * `e.quantity`, the expired quantity outside of quarantine. Each may be null.
 */
export const stockThere: Fragment = sql.fragment`
  left join lateral (
    select * from stock_balances
    where tenant_id = r.tenant_id and item_variant_id = r.id and place_key = place.key limit 1
  ) b on true
  left join lateral (
    select reserved_quantity, expected_quantity from stock_levels
    where tenant_id = r.tenant_id and item_variant_id = r.id and place_key = place.key and batch_key = 0
    limit 1
  ) l on true
  left join lateral (select ${expiredNow} as quantity) e on true`

/** The physical stock that is neither quarantined nor expired. */
export const usable: Fragment = sql.fragment`
  coalesce(b.quantity, 0) - coalesce(b.quarantine_quantity, 0) - coalesce(e.quantity, 0)`
