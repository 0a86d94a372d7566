/** Whether a product has physical stock. */
import { foundId } from '../../kit/documents/found-id.ts'
import type { Need } from '../../kit/documents/needs.ts'
import type { Product } from './noun.ts'

/**
 * Whether any variant of the product has physical stock; null: of none. Where an earlier command of the unit of work posted
 * to its stock, the next one tells.
 */
export const hasStock = (product: Product | null): Need<() => boolean> =>
  foundId(product?.id ?? null, {
    name: 'products in stock',
    text,
    check: work => product !== null && work.refuseChangedParts(new Set(product.variants.map(({ id }) => id))),
  })

const text = `
  select q.tenant_id, q.id
  from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)
  where exists (
    select from item_variants v
    cross join lateral (
      select from stock_levels l where l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.quantity > 0 limit 1
    ) l
    where v.tenant_id = q.tenant_id and v.item_id = q.id
  )`
