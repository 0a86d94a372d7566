/** Whether a storage place holds stock, or stock is reserved there. */
import type { Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'

/** Stock writes drop this answer for each place whose stock they change. */
export const placeInUse = question({
  name: 'places in use',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id
    from ${asked}
    cross join lateral (
      select from stock_levels
      where tenant_id = q.tenant_id and storage_place_id = q.id and (quantity > 0 or reserved_quantity > 0)
      limit 1
    ) l`,
  read: rows => rows.length > 0,
})

/** Whether the place is in use. `id` null: there is no place to ask about. */
export const inUse = (id: string | null): Need<() => boolean> => ({
  ask: (load, tenantId) => id !== null && placeInUse.ask(load, tenantId, { id }),
  see: work => () => id !== null && work.answer(placeInUse, { id }),
})
