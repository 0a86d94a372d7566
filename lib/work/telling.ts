/** How events of a tenant's run go into its outbox, with the next sequences. */
import type { DomainEvent } from '../kit/api/endpoint.ts'
import type { TraceParent } from '../platform/tracing/tracing.ts'
import { type EventActor, eventBody, newEventId } from './event-body.ts'
import type { TenantRun } from './tenant-run.ts'

/**
 * @param actor null: the service itself
 * @returns the data that stands in the outbox, with its sequence.
 */
export function tell(
  run: TenantRun,
  events: readonly DomainEvent[],
  { actor, trace }: { readonly actor: EventActor | null; readonly trace?: TraceParent | undefined },
): readonly { readonly data: string; readonly sequence: string }[] {
  const { now } = run.work
  const held: { data: string; sequence: string }[] = []
  for (const event of events) {
    run.eventSequence += 1n + (run.outbox.length === 0 ? run.opened.eventGap : 0n)
    const sequence = run.eventSequence.toString()
    const { body, isWhole } = eventBody(event, { id: newEventId(), timestamp: now, sequence: run.eventSequence, actor })
    run.outbox.push({ sequence, type: event.type, body, created_at: now, trace_parent: trace })
    if (isWhole) held.push({ data: event.data, sequence })
  }
  return held
}
