/** The SQL of what is available: a row per variant and place over all its batches, in two orders (rows.ts, changed.ts), and of kits (kits.ts). */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import { type Connection, rows, sql } from '../../../platform/postgres/postgres.ts'
import { clockPart, expiredNow } from '../expired.ts'
import { pairOrder } from '../variant-places.ts'
import { changedRows } from './changed.ts'
import { Availability } from './document.ts'
import { kitAvailable, kitsInOrder } from './kits.ts'
import { bareEntry, columnsOf, foundColumns, type Page, placeParts, shownUpdatedAt } from './parts.ts'
import { rowsInOrder } from './rows.ts'

const columns = [sql.fragment`item_variant_id`, sql.fragment`place_key`] as const

/** A page by variant, then place (none first); with `updated_after` by when the row changed, then these. */
export async function listAvailability(connection: Connection, page: Page): Promise<readonly Row[]> {
  const since = page.filters.updated_after
  const { is_kit: isKit } = page.filters
  const found = since === undefined ? rowsInOrder(page) : changedRows(page, since)
  const hasKits = since === undefined && isKit !== false
  const plain = sql.fragment`select ${foundColumns}, false as is_kit from found ${isKit === true ? sql.fragment`where false` : sql.fragment``}`
  const pair = sql.fragment`concat(b.item_variant_id, '_', b.place_key)`
  const position =
    since === undefined
      ? pair
      : sql.fragment`concat((extract(epoch from x.updated_at) * 1000000)::bigint, '_', ${pair})`
  const order = pairOrder(...columnsOf('b'), page)
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    with ${clockPart(page.tenantId)}, ${placeParts(page)}, ${found}${hasKits ? sql.fragment`, ${kitsInOrder(page)}` : sql.fragment``}
    select ${position} as id, ${Availability.json} as document
    from (
      ${hasKits ? sql.fragment`(${plain}) union all (select * from kits) order by ${pairOrder(...columns, page)} limit ${page.limit}` : plain}
    ) b
    cross join lateral (
      select tenant_id, sku, components, b.place_key, b.is_kit from item_variants where tenant_id = b.tenant_id and id = b.item_variant_id limit 1
    ) v
    ${bareEntry('b')}
    left join moved p on p.id = b.place_key
    cross join lateral (
      select case when not b.is_kit then ${expiredNow} end as expired, case when not b.is_kit then ${shownUpdatedAt('b')} end as updated_at
      -- Once: what has expired is shown, and taken from what is available.
      offset 0
    ) x
    cross join lateral (
      -- A choice, so that rows of other variants count no components.
      select ${hasKits ? sql.fragment`case when b.is_kit then (${kitAvailable}) end` : sql.fragment`null::numeric`} as available
    ) kit
    order by ${since === undefined ? order : sql.fragment`x.updated_at, ${order}`}
  `)
}
