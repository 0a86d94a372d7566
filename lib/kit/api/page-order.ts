/** SQL for lists: the order of a page, and where it begins. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Order } from './endpoint.ts'

export const BELOW_ALL_IDS = '0'
export const ABOVE_ALL_IDS = '9223372036854775807'
/** The last moment that PostgreSQL and JavaScript write in the same format, in microseconds since 1970. */
const LAST_MICROSECOND = 253_402_300_799_999_999n

/** Where a page begins, and its order. */
export type Beginning = { readonly after: string | null; readonly order: Order }

/** Orders by `updated_at` from this time (inclusive) instead of by ids. */
export type ByChange = { readonly updatedAfter?: string | undefined }

/** The id after which a page begins. */
export const idOf = (after: string | null, order: Order): string =>
  after?.split('_').at(-1) ?? (order === 'asc' ? BELOW_ALL_IDS : ABOVE_ALL_IDS)

/** Whether the id comes after the position, in a list ordered by ids. */
export const behind = (id: Fragment, { after, order }: Beginning): Fragment =>
  order === 'asc'
    ? sql.fragment`${id} > ${idOf(after, order)}::bigint`
    : sql.fragment`${id} < ${idOf(after, order)}::bigint`

export const direction = (order: Order): Fragment => (order === 'asc' ? sql.fragment`asc` : sql.fragment`desc`)

/** Whether the row is on this page or a later one. A list by change needs the index `(tenant_id, updated_at, id)`. */
export function rowBehind(alias: string, { updatedAfter, ...beginning }: Beginning & ByChange): Fragment {
  const { after, order } = beginning
  const id = sql.identifier([alias, 'id'])
  if (updatedAfter === undefined) return behind(sql.fragment`${id}`, beginning)
  const time = sql.identifier([alias, 'updated_at'])
  const [micros] = after?.split('_') ?? []
  const at = micros !== undefined ? timeOf(micros) : order === 'asc' ? updatedAfter : 'infinity'
  const position = sql.fragment`(${at}::timestamptz, ${idOf(after, order)}::bigint)`
  return order === 'asc'
    ? sql.fragment`(${time}, ${id}) > ${position}`
    : sql.fragment`(${time}, ${id}) < ${position} and ${time} >= ${updatedAfter}::timestamptz`
}

/** The columns of `order by`. */
export function rowOrder(alias: string, { order, updatedAfter }: Pick<Beginning, 'order'> & ByChange): Fragment {
  const id = sql.fragment`${sql.identifier([alias, 'id'])} ${direction(order)}`
  if (updatedAfter === undefined) return id
  return sql.fragment`${sql.identifier([alias, 'updated_at'])} ${direction(order)}, ${id}`
}

/** The position of the row as text (see `Row`). */
export function rowPosition(alias: string, { updatedAfter }: ByChange): Fragment {
  const id = sql.identifier([alias, 'id'])
  if (updatedAfter === undefined) return sql.fragment`${id}::text`
  return sql.fragment`concat((extract(epoch from ${sql.identifier([alias, 'updated_at'])}) * 1000000)::bigint, '_', ${id})`
}

/** The moment this many microseconds after 1970. */
export function timeOf(text: string): string {
  const given = BigInt(text)
  const micros = given < 0n ? 0n : given > LAST_MICROSECOND ? LAST_MICROSECOND : given
  const millis = new Date(Number(micros / 1000n)).toISOString()
  return `${millis.slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`
}
