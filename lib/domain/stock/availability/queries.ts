/**
 * The SQL of available stock: a row per variant and place over all its batches, in two orders (rows.ts, changed.ts), and kits (kits.ts).
 */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import { type Connection, type Fragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { clockPart, expiredNow } from '../expired.ts'
import { pairOrder } from '../variant-places.ts'
import { changedRows, placesChanged } from './changed.ts'
import { Availability } from './document.ts'
import { kitAvailable, kitsInOrder } from './kits.ts'
import { bareEntry, columnsOf, foundColumns, type Page, placeParts, shownUpdatedAt } from './parts.ts'
import { rowsInOrder } from './rows.ts'

const columns = [sql.fragment`item_variant_id`, sql.fragment`place_key`] as const

/**
 * A page by variant, then place (stock without a place first). With `updated_after` the time of the row's change comes before these. Most
 * tenants have no kits, and nothing expired a moment ago. So a shorter statement runs first and says, in its own snapshot, whether its page
 * is complete. Only if not, the whole statement runs.
 */
export async function listAvailability(connection: Connection, page: Page): Promise<readonly Row[]> {
  if (page.filters.is_kit === true) return wholePage(connection, page)
  const rows = await plainPage(connection, page)
  if (rows.some(row => !row.is_plain)) return wholePage(connection, page)
  return rows.flatMap(({ id, document }) => (id === null || document === null ? [] : [{ id, document }]))
}

const found = (page: Page, { isPlain }: { readonly isPlain: boolean }): Fragment => {
  const { updated_after: since } = page.filters
  return since === undefined ? rowsInOrder(page) : changedRows(page, since, isPlain)
}

const withVariant: Fragment = sql.fragment`cross join lateral (
      select tenant_id, sku, components, b.place_key, b.is_kit from item_variants where tenant_id = b.tenant_id and id = b.item_variant_id limit 1
    ) v
    ${bareEntry('b')}
    left join moved p on p.id = b.place_key`

const positionOf = ({ filters }: Page): Fragment => {
  const pair = sql.fragment`concat(b.item_variant_id, '_', b.place_key)`
  return filters.updated_after === undefined
    ? pair
    : sql.fragment`concat((extract(epoch from x.updated_at) * 1000000)::bigint, '_', ${pair})`
}

const inOrder = (page: Page, alias: string): Fragment => {
  const pair = pairOrder(...columnsOf(alias), page)
  return page.filters.updated_after === undefined
    ? pair
    : sql.fragment`${sql.identifier([alias, 'updated_at'])}, ${pair}`
}

const plainRow = v.object({ is_plain: v.boolean(), id: v.nullable(v.string()), document: v.nullable(v.string()) })

/** Whether a page has no kits and no stock whose expiry has no event yet; in the order of changes also whether no place has changed. */
function isPlain({ filters, ...page }: Page): Fragment {
  const { updated_after: since } = filters
  if (since !== undefined) return sql.fragment`not is_turning and not ${placesChanged({ filters, ...page }, since)}`
  if (filters.is_kit === false) return sql.fragment`not is_turning`
  return sql.fragment`not is_turning and not exists (
        select from item_variants where tenant_id = ${page.tenantId}::bigint and components <> '[]'
      )`
}

/** One row without a document: the page is empty, or the shorter statement does not suffice. */
const plainPage = (connection: Connection, page: Page) =>
  connection.any(rows(plainRow)`
    with ${clockPart(page.tenantId)}, ${placeParts(page)}, ${found(page, { isPlain: true })}
    select s.is_plain, r.id, r.document
    from (select ${isPlain(page)} as is_plain from clock) s
    left join lateral (
      select ${positionOf(page)} as id, ${Availability.json} as document, b.item_variant_id, b.place_key, x.updated_at
      from (select ${foundColumns}, false as is_kit from found) b
      ${withVariant}
      cross join lateral (select b.expired_quantity as expired, ${shownUpdatedAt('b')} as updated_at) x
      cross join (select null::numeric as available) kit
      where s.is_plain
      -- So that nothing is read where the page is not plain.
      offset 0
    ) r on true
    order by ${inOrder(page, 'r')}
  `)

function wholePage(connection: Connection, page: Page): Promise<readonly Row[]> {
  const { is_kit: isKit, updated_after: since } = page.filters
  // Kits have no rows in the order of changes.
  const hasKits = since === undefined && isKit !== false
  const plain = sql.fragment`select ${foundColumns}, false as is_kit from found ${isKit === true ? sql.fragment`where false` : sql.fragment``}`
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    with ${clockPart(page.tenantId)}, ${placeParts(page)}, ${found(page, { isPlain: false })}${hasKits ? sql.fragment`, ${kitsInOrder(page)}` : sql.fragment``}
    select ${positionOf(page)} as id, ${Availability.json} as document
    from (
      ${hasKits ? sql.fragment`(${plain}) union all (select * from kits) order by ${pairOrder(...columns, page)} limit ${page.limit}` : plain}
    ) b
    ${withVariant}
    cross join lateral (
      select case when not b.is_kit then ${expiredNow} end as expired, case when not b.is_kit then ${shownUpdatedAt('b')} end as updated_at
      -- Once: what has expired is shown, and taken from what is available.
      offset 0
    ) x
    cross join lateral (
      -- A choice, so that rows of other variants count no components.
      select ${hasKits ? sql.fragment`case when b.is_kit then (${kitAvailable}) end` : sql.fragment`null::numeric`} as available
    ) kit
    order by ${since === undefined ? pairOrder(...columnsOf('b'), page) : sql.fragment`x.updated_at, ${pairOrder(...columnsOf('b'), page)}`}
  `)
}
