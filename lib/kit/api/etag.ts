/** The entity tag of a record: strong, and equal for equal JSON text of the record (docs/rules/requests.md, "Conditional requests"). */
import { hash } from 'node:crypto'
import type { Json } from './endpoint.ts'

/** `"..."`: a hash of the record's text as its GET shows it. It changes with any change of the text, and only then. */
export const etagOf = (document: Json): string => `"${hash('sha256', document, 'base64url').slice(0, 22)}"`

/**
 * Whether `If-None-Match` contains the tag, weak or strong: then the caller has the current record. A tag with its quotes can only be a
 * whole entry of the header.
 */
export const isNamed = (etag: string, ifNoneMatch: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag)
