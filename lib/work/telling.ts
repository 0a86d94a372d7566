/** How events of a tenant's run go into its outbox, with the next sequences. */
import type { DomainEvent } from '../kit/api/endpoint.ts'
import type { TraceParent } from '../platform/tracing/tracing.ts'
import { type EventActor, eventBody, newEventId } from './event-body.ts'
import type { TenantRun } from './tenant-run.ts'

/** @param actor null: the service itself */
export function tell(
  run: TenantRun,
  events: readonly DomainEvent[],
  { actor, trace }: { readonly actor: EventActor | null; readonly trace?: TraceParent | undefined },
): void {
  const { now } = run.work
  for (const event of events) {
    run.eventSequence += 1n + (run.outbox.length === 0 ? run.opened.eventGap : 0n)
    const id = newEventId()
    run.outbox.push({
      sequence: run.eventSequence.toString(),
      id,
      type: event.type,
      body: eventBody(event, { id, timestamp: now, sequence: run.eventSequence, actor }),
      created_at: now,
      trace_parent: trace,
    })
  }
}
