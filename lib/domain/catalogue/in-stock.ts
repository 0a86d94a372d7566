/** Whether a product has physical stock. */
import type { Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'

/** The stock forgets the answer of each product whose stock changes. */
export const productInStock = question({
  name: 'products in stock',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id
    from ${asked}
    where exists (
      select from item_variants v
      cross join lateral (
        select from stock_levels l where l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.quantity > 0 limit 1
      ) l
      where v.tenant_id = q.tenant_id and v.item_id = q.id
    )`,
  read: rows => rows.length > 0,
})

/** Whether any variant of the product of this id has physical stock; null: of none. */
export const hasStock = (id: string | null): Need<() => boolean> => ({
  ask: (load, tenantId) => id !== null && productInStock.ask(load, tenantId, { id }),
  see: work => () => id !== null && work.answer(productInStock, { id }),
})
