/** Whether a product has physical stock. */
import type { Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'

/** Stock writes drop this answer for each product whose stock they change. */
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

/** Whether any variant of the product has physical stock. `id` null: there is no product to ask about. */
export const hasStock = (id: string | null): Need<() => boolean> => ({
  ask: (load, tenantId) => id !== null && productInStock.ask(load, tenantId, { id }),
  see: work => () => id !== null && work.answer(productInStock, { id }),
})
