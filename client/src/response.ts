/**
 * What came with an answer besides its body, kept beside the object that was answered: it shows neither in JSON nor in a copy.
 */

/** What came with an answer. */
export type ResponseFacts = {
  readonly status: number
  /** Finds the request in the service's logs. */
  readonly request_id: string | null
  /** Of a record that was read, made or changed by its id: what `ifMatch` needs. */
  readonly etag: string | null
  /** Of a read: the tenant's last event at that moment. What was shown includes all events up to it. */
  readonly event_sequence: number | null
  /** Of a write: whether it is the recorded answer of an earlier one with the same key. */
  readonly replayed: boolean
}

const known = new WeakMap<object, ResponseFacts>()

/** What came with the answer that this object is: a record, or a page of a list. Undefined for copies and rows of lists. */
export function responseOf(answered: object): ResponseFacts | undefined {
  return known.get(answered)
}

/** Keeps the facts of an answer beside its body. */
export function remember<T>(body: T, facts: ResponseFacts): T {
  if (typeof body === 'object' && body !== null) known.set(body, facts)
  return body
}

/** The text of `If-Match`. */
export function etagOf(record: object | string): string {
  const etag = typeof record === 'string' ? record : responseOf(record)?.etag
  if (!etag)
    throw new TypeError(
      'ifMatch: this object carries no ETag (a row of a list, or a copy); pass the record that get, create, update or a step answered',
    )
  return etag
}
