/**
 * The bytes of an event: one envelope for every delivery and for `GET /events`. It is built once,
 * in the writing transaction, and never again.
 */
import { randomUUID } from 'node:crypto'
import type { DomainEvent } from '../kit/api/endpoint.ts'

/** A larger body sends only the id of what changed. */
export const EVENT_BODY_BYTES_MAX = 64 * 1024
export const EVENT_API_VERSION = '1.0.0'

/** `evt_` and 122 random bits. */
export const newEventId = (): string => `evt_${randomUUID().replaceAll('-', '')}`

/** The body as JSON text. `sequence` is null for test events. */
export function eventBody(
  event: DomainEvent,
  envelope: { readonly id: string; readonly timestamp: string; readonly sequence: bigint | null },
): string {
  const text = (data: string, previous: string | null) =>
    `{"id":"${envelope.id}","type":"${event.type}","timestamp":"${envelope.timestamp}","sequence":${envelope.sequence ?? 'null'},"api_version":"${EVENT_API_VERSION}","data":${data},"previous":${previous ?? 'null'}}`
  const whole = text(event.data, event.previous)
  if (Buffer.byteLength(whole) <= EVENT_BODY_BYTES_MAX) return whole
  return text(JSON.stringify({ id: idOf(event.data), truncated: true }), null)
}

/** The id of a resource; that of a sales return lies in the first of its two parts. */
function idOf(data: string): string | null {
  const { id, sales_return } = JSON.parse(data) as { id?: string; sales_return?: { id: string } }
  return id ?? sales_return?.id ?? null
}
