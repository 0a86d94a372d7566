/** The entity tag of a record: strong, and alike wherever the record's JSON text is (docs/rules/requests.md, "Conditional requests"). */
import { hash } from 'node:crypto'
import type { Json } from './endpoint.ts'

/** `"..."` over the text of a record as its GET shows it: it changes with any change of the text, and with nothing else. */
export const etagOf = (document: Json): string => `"${hash('sha256', document, 'base64url').slice(0, 22)}"`

/**
 * Whether an `If-None-Match` names the tag, weak or strong: the caller has the record as it is. A tag with its quotes can stand
 * nowhere else in a list of tags, and what is no such list names nothing.
 */
export const isNamed = (etag: string, ifNoneMatch: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag)
