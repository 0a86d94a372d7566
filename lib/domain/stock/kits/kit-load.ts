/** Loads the kits that contain variants of loaded positions, and what is available of their other components at the same places. */
import type { Source, Works } from '../../../kit/documents/question.ts'
import { parseMicro } from '../../../platform/decimal.ts'
import type { Query, TextRow } from '../../../platform/postgres/round-trip.ts'
import { Asked } from '../position-load.ts'
import { textIn, textOrNullIn } from '../row.ts'
import { positionKey, type Where } from '../stock.ts'
import { stockPart } from '../stock-part.ts'
import type { Kits } from './kits.ts'

/** One row for each kit, then one for each component at each place. `available` is null if the component has no balance. */
const text = `
  with asked as materialized (
    select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as q (tenant_id, item_variant_id, storage_place_id)
  ), kits as materialized (
    select v.tenant_id, v.id, v.sku, v.components
    from (
      select distinct q.tenant_id, k.kit_variant_id
      from (select distinct tenant_id, item_variant_id from asked) q
      cross join lateral (
        select kit_variant_id from kit_components
        where tenant_id = q.tenant_id and item_variant_id = q.item_variant_id offset 0
      ) k
    ) k
    cross join lateral (
      select * from item_variants where tenant_id = k.tenant_id and id = k.kit_variant_id limit 1
    ) v
    where v.active
  ), parts as materialized (
    select p.tenant_id, p.id
    from (
      select distinct kits.tenant_id, (e.part ->> 'item_variant_id')::bigint as id
      from kits cross join lateral jsonb_array_elements(kits.components) e (part)
    ) p
    cross join lateral (select item_id from item_variants where tenant_id = p.tenant_id and id = p.id limit 1) v
    cross join lateral (select type from items where tenant_id = p.tenant_id and id = v.item_id limit 1) i
    where i.type <> 'SERVICE'
  )
  select k.tenant_id, k.id as kit_id, k.sku, k.components::text, m.id as place_id, null::bigint as part_id, null::numeric as available
  from kits k
  left join lateral (
    select id from storage_places where tenant_id = k.tenant_id and is_main limit 1
  ) m on true
  union all
  select p.tenant_id, null, null, null, q.storage_place_id, p.id, b.available
  from parts p
  join (select distinct tenant_id, storage_place_id from asked) q on q.tenant_id = p.tenant_id
  left join lateral (
    select b.quantity - b.quarantine_quantity - b.expired_quantity - coalesce((
      select reserved_quantity from stock_levels
      where tenant_id = b.tenant_id and item_variant_id = b.item_variant_id and place_key = b.place_key and batch_key = 0 limit 1
    ), 0) as available
    from stock_balances b
    where tenant_id = p.tenant_id and item_variant_id = p.id and place_key = coalesce(q.storage_place_id, 0)
      and storage_place_id is not distinct from q.storage_place_id
    limit 1
  ) b on true`

export class KitLoad extends Asked implements Source {
  ask(tenantId: string, where: Where): void {
    this.place(tenantId, where)
  }

  query(): Query {
    return { text, values: this.columns }
  }

  take(rows: readonly TextRow[], works: Works): void {
    const byTenant = Map.groupBy(rows, row => textIn(row, 'tenant_id'))
    for (const [tenantId, own] of byTenant) {
      const kits = works.get(tenantId)?.part(stockPart).kits
      if (kits) takeAll(kits, own)
    }
  }
}

type Component = { readonly item_variant_id: string; readonly quantity: string }

function takeAll(kits: Kits, rows: readonly TextRow[]): void {
  const partRows = rows.filter(row => row['part_id'] != null)
  const holding = new Set(partRows.map(row => textIn(row, 'part_id')))
  for (const row of partRows) {
    const available = textOrNullIn(row, 'available')
    const where = { itemVariantId: textIn(row, 'part_id'), storagePlaceId: textOrNullIn(row, 'place_id') }
    if (available !== null) kits.levels.set(positionKey(where), parseMicro(available))
  }
  for (const row of rows) {
    if (row['kit_id'] == null) continue
    kits.mainPlaceId = textOrNullIn(row, 'place_id')
    const parts = (JSON.parse(textIn(row, 'components')) as Component[])
      .filter(({ item_variant_id: id }) => holding.has(id))
      .map(({ item_variant_id, quantity }) => ({ itemVariantId: item_variant_id, each: parseMicro(quantity) }))
    kits.add({ id: textIn(row, 'kit_id'), sku: textOrNullIn(row, 'sku'), parts })
  }
}
