/** The SQL of a replenishment: the variants that may be short at a place, and everything that their recipes use. */
import * as v from 'valibot'
import { arrayOf } from '../../../kit/api/same.ts'
import { type Connection, rows, sql } from '../../../platform/postgres/postgres.ts'
import { type Reached, reachedBy } from '../parts.ts'
import { shortAtPlace } from '../shortages/queries.ts'

type Asked = {
  readonly tenantId: string
  readonly storagePlaceId: string | undefined
  /** Undefined: all variants. */
  readonly itemVariantIds: readonly string[] | undefined
  readonly max: number
}

/** The statement reads `max` parts and one more, which shows that there are too many. */
export function reachedFromCandidates(connection: Connection, asked: Asked): Promise<Reached> {
  const placeKey = sql.fragment`(select key from place)`
  return reachedBy(connection, {
    ...asked,
    otherwise: 'main',
    start: sql.fragment`
      select item_variant_id as id
      from (${shortAtPlace({ ...asked, placeKey, limit: asked.max + 1 })}) short`,
  })
}

/** The first of the ids that no variant has; null: every id has a variant. */
export async function unknownVariant(
  connection: Connection,
  { tenantId, itemVariantIds = [] }: Pick<Asked, 'tenantId' | 'itemVariantIds'>,
): Promise<string | null> {
  if (itemVariantIds.length === 0) return null
  const found = await connection.maybeOne(rows(v.object({ id: v.string() }))`
    select asked.id::text from unnest(${arrayOf(itemVariantIds, 'int8')}) with ordinality asked (id, position)
    where not exists (select from item_variants where tenant_id = ${tenantId}::bigint and id = asked.id)
    order by asked.position limit 1`)
  return found?.id ?? null
}
