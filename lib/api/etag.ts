/** The entity tag of a record: strong, and alike wherever the record's JSON text is (docs/rules/requests.md, "Conditional requests"). */
import { createHash } from 'node:crypto'
import type { Json } from './endpoint.ts'

/** `"..."` over the text of a record as its GET shows it: it changes with any change of the text, and with nothing else. */
export const etagOf = (document: Json): string =>
  `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`
