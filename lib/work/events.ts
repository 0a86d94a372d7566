/**
 * How events go into a tenant's outbox, and the bytes of an event: the same envelope for every delivery and for `GET /events`. The body is
 * made once, in the transaction that writes. It begins with the event's id, since statements read the id from there.
 */
import { randomUUID } from 'node:crypto'
import type { DomainEvent } from '../kit/api/endpoint.ts'
import { type Deciding, namedUser } from '../kit/documents/command.ts'
import type { TraceParent } from '../platform/tracing/tracing.ts'
import type { TenantRun } from './tenant-run.ts'

/** An event whose body would be longer has only the id of the changed record. */
export const EVENT_BODY_BYTES_MAX = 64 * 1024
export const EVENT_API_VERSION = '1.0.0'

/** `evt_` and 122 random bits, 36 characters. */
export const newEventId = (): string => `evt_${randomUUID().replaceAll('-', '')}`

/** Who caused an event: the key, its user's name, and the request (for an entry of a bulk the entry's own). */
export type EventActor = { readonly key_id: string; readonly user_name: string | null; readonly request_id: string }

export const eventActor = ({
  actor,
  tenant,
  requestId,
}: Pick<Deciding, 'actor' | 'tenant' | 'requestId'>): EventActor => ({
  key_id: actor.keyId,
  user_name: namedUser({ actor, tenant }),
  request_id: requestId,
})

type Envelope = {
  readonly id: string
  readonly timestamp: string
  /** Null for test events. */
  readonly sequence: bigint | null
  /** null: the service caused the event itself. */
  readonly actor: EventActor | null
}

/** The body as JSON text, and whether it contains the event's data. */
export function eventBody(
  event: DomainEvent,
  { id, timestamp, sequence, actor }: Envelope,
): { readonly body: string; readonly isWhole: boolean } {
  const head = `"id":"${id}","type":"${event.type}","timestamp":"${timestamp}","sequence":${sequence ?? 'null'},"api_version":"${EVENT_API_VERSION}","actor":${JSON.stringify(actor)}`
  const text = (data: string, previous: string | null) => `{${head},"data":${data},"previous":${previous ?? 'null'}}`
  const whole = text(event.data, event.previous)
  if (Buffer.byteLength(whole) <= EVENT_BODY_BYTES_MAX) return { body: whole, isWhole: true }
  return { body: text(JSON.stringify({ id: idOf(event.data), truncated: true }), null), isWhole: false }
}

/** The id of a resource. A sales return has it in the first of its two parts. */
function idOf(data: string): string | null {
  const { id, sales_return } = JSON.parse(data) as { id?: string; sales_return?: { id: string } }
  return id ?? sales_return?.id ?? null
}

/**
 * Adds events to the tenant's outbox, with its next sequences.
 * @param actor null: the service itself
 * @returns the data in the outbox, with its sequence
 */
export function publish(
  run: TenantRun,
  events: readonly DomainEvent[],
  { actor, trace }: { readonly actor: EventActor | null; readonly trace?: TraceParent | undefined },
): readonly { readonly data: string; readonly sequence: string }[] {
  const { now } = run.work
  const stored: { data: string; sequence: string }[] = []
  for (const event of events) {
    run.eventSequence += 1n + (run.outbox.length === 0 ? run.opened.eventGap : 0n)
    const sequence = run.eventSequence.toString()
    const { body, isWhole } = eventBody(event, { id: newEventId(), timestamp: now, sequence: run.eventSequence, actor })
    run.outbox.push({ sequence, type: event.type, body, created_at: now, trace_parent: trace })
    if (isWhole) stored.push({ data: event.data, sequence })
  }
  return stored
}
