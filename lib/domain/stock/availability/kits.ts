/**
 * Rows of kits among available stock: at which places a kit has a row, and how many of it its scarcest component allows
 * (docs/rules/kits.md).
 */
import { type Fragment, sql } from '../../../platform/postgres/postgres.ts'
import { expiredNow } from '../expired.ts'
import { pairBehind, pairOrder, variantFrom } from '../variant-places.ts'
import { bareEntry, isPlaceWanted, type Page, variantsOf, wantedVariants } from './parts.ts'

/**
 * The statement part `kits`: unarchived kits at the main place and at each place where a component has a row. They have the columns of
 * balances.
 */
export function kitsInOrder(page: Page): Fragment {
  const { tenantId, limit, order } = page
  const all = sql.fragment`(
        select * from item_variants r
        where r.tenant_id = ${tenantId}::bigint and r.components <> '[]' and ${variantFrom(sql.fragment`r.id`, page)}
        order by r.id ${order === 'asc' ? sql.fragment`` : sql.fragment`desc`} offset 0
      )`
  const inOrder = pairOrder(sql.fragment`v.id`, sql.fragment`p.place_key`, page)
  return sql.fragment`
    kits as materialized (
      select v.tenant_id, v.id as item_variant_id, p.place_key, null::numeric as quantity, null::numeric as quarantine_quantity,
        null::numeric as expired_quantity, null::date as expired_before, null::numeric as value, null::timestamptz as updated_at, true as is_kit
      from ${variantsOf(page, wantedVariants(page), all)} v
      cross join lateral (
        select coalesce(max(id), 0) as place_key from main
        union
        select b.place_key from jsonb_array_elements(v.components) e (part)
        cross join lateral (
          select place_key from stock_balances
          where tenant_id = v.tenant_id and item_variant_id = (e.part ->> 'item_variant_id')::bigint offset 0
        ) b
      ) p
      where v.components <> '[]' and v.active and ${pairBehind(sql.fragment`v.id`, sql.fragment`p.place_key`, page)}
        and ${isPlaceWanted(page, sql.fragment`p.place_key`)}
      order by ${inOrder} limit ${limit}
    )`
}

/** How many of the kit `v` could be sold at its place; null for a variant that is no kit. */
export const kitAvailable: Fragment = sql.fragment`
      select min(div(part.available, part.each) - case when mod(part.available, part.each) < 0 then 1 else 0 end) as available
      from (
        select (e.part ->> 'quantity')::numeric as each, coalesce(a.available, 0) as available
        from jsonb_array_elements(case when v.is_kit then v.components else '[]' end) e (part)
        cross join lateral (
          select id, item_id from item_variants where tenant_id = v.tenant_id and id = (e.part ->> 'item_variant_id')::bigint limit 1
        ) c
        cross join lateral (select type from items where tenant_id = v.tenant_id and id = c.item_id limit 1) i
        left join lateral (
          select b.quantity - b.quarantine_quantity - (${expiredNow}) - coalesce(l.reserved, 0) as available
          from (
            select * from stock_balances where tenant_id = v.tenant_id and item_variant_id = c.id and place_key = v.place_key limit 1
          ) b
          ${bareEntry('b')}
        ) a on true
        where i.type <> 'SERVICE'
      ) part`
