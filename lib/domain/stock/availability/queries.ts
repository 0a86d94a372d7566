/** The SQL of what is available: a row per variant and place over all its batches, in two orders (rows.ts, changed.ts). */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import { type Connection, rows, sql } from '../../../platform/postgres/postgres.ts'
import { clockPart, expiredNow } from '../expired.ts'
import { pairOrder } from '../variant-places.ts'
import { changedRows } from './changed.ts'
import { Availability } from './document.ts'
import { bareEntry, columnsOf, type Page, placeParts, shownUpdatedAt } from './parts.ts'
import { rowsInOrder } from './rows.ts'

/** A page by variant, then place (none first); with `updated_after` by when the row changed, then these. */
export async function listAvailability(connection: Connection, page: Page): Promise<readonly Row[]> {
  const since = page.filters.updated_after
  const found = since === undefined ? rowsInOrder(page) : changedRows(page, since)
  const pair = sql.fragment`concat(b.item_variant_id, '_', b.place_key)`
  const position =
    since === undefined
      ? pair
      : sql.fragment`concat((extract(epoch from x.updated_at) * 1000000)::bigint, '_', ${pair})`
  const order = pairOrder(...columnsOf('b'), page)
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    with ${clockPart(page.tenantId)}, ${placeParts(page)}, ${found}
    select ${position} as id, ${Availability.json} as document
    from found b
    cross join lateral (
      select sku from item_variants where tenant_id = b.tenant_id and id = b.item_variant_id limit 1
    ) v
    ${bareEntry('b')}
    left join moved p on p.id = b.place_key
    cross join lateral (select ${expiredNow} as expired, ${shownUpdatedAt('b')} as updated_at) x
    order by ${since === undefined ? order : sql.fragment`x.updated_at, ${order}`}
  `)
}
