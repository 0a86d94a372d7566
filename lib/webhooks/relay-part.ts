/**
 * Further writes of webhook commands: where the relay of a tenant begins, recoveries, and the end of recoveries of a removed subscription.
 * All are undone with their command.
 */
import type { PartKind, Work } from '../kit/documents/work.ts'
import type { Query } from '../platform/postgres/round-trip.ts'

/** A recovery makes at most this many deliveries at once. Their ids are passed in if the database gives none. */
export type Recovery = { readonly deliveriesMax: number; readonly query: (ids?: readonly string[]) => Query }

class RelayPart {
  /** The sequence after which the relay begins. Null: it has begun already. */
  relayFrom: string | null = null
  readonly recoveries: Recovery[] = []
  /** Subscriptions whose recoveries end. */
  readonly removed: string[] = []
  readonly #work: Work

  constructor(work: Work) {
    this.#work = work
  }

  begin(sequence: string): void {
    if (this.relayFrom !== null) return
    this.relayFrom = sequence
    this.#work.undo(() => {
      this.relayFrom = null
    })
  }

  recover(recovery: Recovery): void {
    this.recoveries.push(recovery)
    this.#work.undo(() => this.recoveries.pop())
  }

  endRecovery(subscriptionId: string): void {
    this.removed.push(subscriptionId)
    this.#work.undo(() => this.removed.pop())
  }
}

export const relayPart: PartKind<RelayPart> = {
  make: work => new RelayPart(work),
  write: (parts, ids) => {
    const left = ids && [...ids]
    const relays = parts.flatMap(({ work, part }) =>
      part.relayFrom === null ? [] : [{ tenant_id: work.tenant.id, sequence: part.relayFrom }],
    )
    const removed = parts.flatMap(({ work, part }) =>
      part.removed.map(id => ({ tenant_id: work.tenant.id, subscription_id: id })),
    )
    return [
      ...(relays.length === 0 ? [] : [{ text: beginRelays, values: [JSON.stringify(relays)] }]),
      ...parts.flatMap(({ part }) =>
        part.recoveries.map(({ deliveriesMax, query }) => query(left?.splice(0, deliveriesMax))),
      ),
      ...(removed.length === 0 ? [] : [{ text: endRecoveries, values: [JSON.stringify(removed)] }]),
    ]
  },
  idsOf: parts =>
    parts.flatMap(({ part }) => part.recoveries).reduce((sum, { deliveriesMax }) => sum + deliveriesMax, 0),
}

const beginRelays = `
  with r as (
    select * from jsonb_to_recordset($1::jsonb) as r (tenant_id bigint, sequence bigint)
  ), relays as (
    insert into webhook_relays (tenant_id, relayed_sequence) select tenant_id, sequence from r on conflict do nothing
  )
  update tenant_streams s set has_webhooks = true from r where s.tenant_id = r.tenant_id and not s.has_webhooks`

const endRecoveries = `
  delete from webhook_recoveries w using jsonb_to_recordset($1::jsonb) as r (tenant_id bigint, subscription_id bigint)
  where w.tenant_id = r.tenant_id and w.subscription_id = r.subscription_id`
