/** How bodies may name variants: by id, or by sku. */
import * as v from 'valibot'
import { invalid, type Refusal } from '../../kit/api/errors.ts'
import { code } from '../../kit/api/fields.ts'
import type { Need } from '../../kit/documents/needs.ts'
import type { Naming } from '../../kit/fields/field.ts'
import { reference } from '../../kit/fields/kinds.ts'
import { type Connection, rows } from '../../platform/postgres/postgres.ts'
import { skuHolders } from './active-variants.ts'
import { Variant } from './variant.ts'

const bySku: Naming = {
  as: 'sku',
  leaf: code(),
  words: 'instead of `item_variant_id`: the sku of an unarchived variant',
  unknown: 'is the sku of no unarchived variant',
  find: (skus): Need<(sku: string) => string | null> => {
    const holders = skuHolders(skus)
    return { ask: holders.ask, see: work => sku => holders.see(work)(sku)?.id ?? null }
  },
}

/**
 * The variant that a query names by id or sku. Refuses `validation_failed` unless the query has exactly one of both, and for a sku that no
 * unarchived variant has.
 */
export async function variantIn(
  connection: Connection,
  tenantId: string,
  { item_variant_id: id, sku }: { readonly item_variant_id?: string | undefined; readonly sku?: string | undefined },
): Promise<string | Refusal> {
  if (id !== undefined) return sku === undefined ? id : invalid('sku', 'must not stand beside item_variant_id')
  if (sku === undefined) return invalid('item_variant_id', 'is required, or sku')
  const found = await connection.maybeOne(rows(v.object({ id: v.string() }))`
    select id::text from item_variants where tenant_id = ${tenantId}::bigint and active_sku = ${sku} limit 1`)
  return found?.id ?? { ...invalid('sku', bySku.unknown), reason: 'reference' }
}

/** The variant of a line or a body: its id, or `sku` instead (docs/rules/requests.md, "Variants by sku"). */
export const variant = () => reference(Variant).namedBy(bySku)
