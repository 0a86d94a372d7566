/** The place that a question of planning is about, and what stands there (docs/rules/planning.md). */
import { type Fragment, fixedFragment, sql } from '../../platform/postgres/postgres.ts'
import { manufacturingPlaceId } from '../places/manufacturing-place.ts'
import { today } from '../stock/expired.ts'

/** Which place is meant where none is named. */
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
 * Parts of a statement. `place` is one row: `id` (null: there is no such place), `key` (0 for stock without a place), `has_places`,
 * `is_main` (also for stock without a place of a tenant without places).
 */
export const placeParts = ({ tenantId, storagePlaceId, otherwise }: AskedPlace): Fragment => sql.fragment`
  place as materialized (
    select p.*, coalesce(p.id, 0) as key, (select currency from tenants where tenant_id = p.tenant_id limit 1) as currency,
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

/** Stock of batches `s` outside of quarantine, of the variant `r` at the place: in the order of an index by expiry dates. */
const toPick = fixedFragment(`
  s.tenant_id = r.tenant_id and s.item_variant_id = r.id and s.place_key = place.key
  and s.batch_id is not null and s.quantity > s.quarantine_quantity`)

/**
 * Joins to the variant `r` (`tenant_id, id`) and `place` what stands there: its balance `b`, `l.reserved_quantity` and
 * `l.expected_quantity`, and `e.quantity`, which has expired outside of quarantine. Each may be null.
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
  left join lateral (
    select sum(quantity) as quantity from (
      select s.quantity - s.quarantine_quantity as quantity from stock_levels s
      where ${toPick} and s.expires_on < ${fixedFragment(today)}
    ) expired
  ) e on true`

/** What of it is physically there, neither quarantined nor expired. */
export const usable: Fragment = sql.fragment`
  coalesce(b.quantity, 0) - coalesce(b.quarantine_quantity, 0) - coalesce(e.quantity, 0)`
