/**
 * Cursors of lists: the position after the last row, bound to the endpoint, the tenant and the filters. Any other list refuses the cursor.
 * Cursors are opaque to callers and contain no secret.
 */
import { hash } from 'node:crypto'

export type CursorScope = {
  readonly endpoint: string
  readonly tenantId: string
  readonly params: Readonly<Record<string, string>>
  /** The validated filters, in any order of keys. */
  readonly filters: Readonly<Record<string, unknown>>
}

function seal(scope: CursorScope, after: string): string {
  const sorted = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record)
      .filter(([, value]) => value !== undefined && value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([scope.endpoint, scope.tenantId, sorted(scope.params), sorted(scope.filters), after])
  return hash('sha256', text, 'base64url').slice(0, 16)
}

/** The cursor that continues after the row at this position (see `Row`). */
export function makeCursor(scope: CursorScope, after: string): string {
  return Buffer.from(`${after}.${seal(scope, after)}`).toString('base64url')
}

/** The position after which the page begins. Undefined for a cursor that this list did not make. */
export function readCursor(scope: CursorScope, cursor: string): string | undefined {
  const match = /^(-?\d{1,19}(?:_-?\d{1,19}){0,2})\.([\w-]{16})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  )
  const after = match?.[1]
  return after !== undefined && cursor === makeCursor(scope, after) ? after : undefined
}
