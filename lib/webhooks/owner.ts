/**
 * Owns the question to whom deliveries belong that are to be sent again: one statement for all of a unit of work, which locks their
 * subscriptions (document.ts, "Locks").
 */
import type { Source } from '../kit/documents/load.ts'
import type { Need } from '../kit/documents/needs.ts'
import type { Query, TextRow } from '../platform/postgres/round-trip.ts'
import { Subscription } from './noun.ts'

/** `isKept`: the delivery's event is, or a body of its own. */
type Owner = { readonly generation: number; readonly isKept: boolean }

/** The subscription of a delivery; null where the delivery is not there, or the subscription is removed. */
export const ownerOf = (deliveryId: string): Need<Owner | null> => {
  let source: Owners | undefined
  return {
    ask: (load, tenantId) => {
      source = load.source('owners of deliveries', () => new Owners())
      source.ask(tenantId, deliveryId)
    },
    see: work => {
      work.refuseChanged(Subscription.table)
      return source?.of(work.tenant.id, deliveryId) ?? null
    },
  }
}

class Owners implements Source {
  readonly #asked = new Map<string, readonly [tenantId: string, deliveryId: string]>()
  readonly #found = new Map<string, Owner>()

  ask(tenantId: string, deliveryId: string): void {
    this.#asked.set(`${tenantId} ${deliveryId}`, [tenantId, deliveryId])
  }

  of(tenantId: string, deliveryId: string): Owner | undefined {
    return this.#found.get(`${tenantId} ${deliveryId}`)
  }

  query(): Query {
    const asked = [...this.#asked.values()]
    return { text, values: [asked.map(([tenantId]) => tenantId), asked.map(([, id]) => id)] }
  }

  take(rows: readonly TextRow[]): void {
    for (const { tenant_id, id, generation, kept } of rows)
      this.#found.set(`${tenant_id} ${id}`, { generation: Number(generation), isKept: kept === 't' })
  }
}

const text = `
  select d.tenant_id, d.id, s.generation, d.body is not null or exists (
      select from events e where e.tenant_id = d.tenant_id and e.sequence = d.sequence
    ) as kept
  from (
    select d.* from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)
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
  ) s`
