/**
 * Finds the subscriptions of deliveries that are to be sent again. One statement for a whole unit of work also locks them (noun.ts,
 * "Locks").
 */
import { question } from '../kit/documents/question.ts'
import { Subscription } from './noun.ts'

/** `isKept`: whether the delivery's event, or a body of its own, is still kept. */
type Owner = { readonly generation: number; readonly isKept: boolean }

/** The subscription of a delivery. Null if there is no such delivery, or its subscription was removed. */
export const deliveryOwner = question({
  name: 'owners of deliveries',
  keys: { id: 'bigint' },
  sql: asked => `
    select d.tenant_id, d.id, s.generation, d.body is not null or exists (
        select from events e where e.tenant_id = d.tenant_id and e.sequence = d.sequence
      ) as kept
    from (
      select d.* from ${asked}
      cross join lateral (
        select tenant_id, id, subscription_id, body, sequence from webhook_deliveries
        where tenant_id = q.tenant_id and id = q.id
        limit 1
      ) d
      order by d.tenant_id, d.subscription_id
      offset 0
    ) d
    cross join lateral (
      select generation from webhook_subscriptions where tenant_id = d.tenant_id and id = d.subscription_id and deleted_at is null
      limit 1
      for no key update
    ) s`,
  read: ([row]): Owner | null =>
    row === undefined ? null : { generation: Number(row['generation']), isKept: row['kept'] === 't' },
  reads: [Subscription.table],
})
