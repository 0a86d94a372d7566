/** Whether a storage place holds stock, or stock is reserved there. */
import { foundId } from '../../kit/documents/found-id.ts'
import type { Need } from '../../kit/documents/needs.ts'

/**
 * Of the place of this id; null: of none. Where an earlier command of the unit of work changed the stock, wherever it did, the
 * next one tells.
 */
export const inUse = (id: string | null): Need<() => boolean> =>
  foundId(id, { name: 'places in use', text, check: work => work.refuseChangedParts() })

const text = `
  select q.tenant_id, q.id
  from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)
  cross join lateral (
    select from stock_levels
    where tenant_id = q.tenant_id and storage_place_id = q.id and (quantity > 0 or reserved_quantity > 0)
    limit 1
  ) l`
