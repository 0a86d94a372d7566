/**
 * Lists by variant, then place (stock without a place first): the SQL of their order, of their filter by place and of a page's beginning,
 * and their first fields. A position is `variant_place`, with 0 for no place.
 */
import { type Beginning, direction } from '../../kit/api/page-order.ts'
import { arrayOf } from '../../kit/api/same.ts'

import { reference, text } from '../../kit/fields/kinds.ts'
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { Item, Variant } from '../catalogue/variant.ts'
import { StoragePlace } from '../places/noun.ts'

const [BELOW_ALL, ABOVE_ALL] = ['-1', '9223372036854775807'] as const

function positionOf({ after, order }: Beginning) {
  const beyond = order === 'asc' ? BELOW_ALL : ABOVE_ALL
  const [variant = beyond, place = beyond] = after?.split('_') ?? []
  return { variant: sql.fragment`${variant}::bigint`, place: sql.fragment`${place}::bigint` }
}

/** Whether a row with these columns comes after the page's beginning. */
export function pairBehind(variant: Fragment, place: Fragment, page: Beginning): Fragment {
  const at = positionOf(page)
  return sql.fragment`(${variant}, ${place}) ${page.order === 'asc' ? sql.fragment`>` : sql.fragment`<`} (${at.variant}, ${at.place})`
}

/** Whether a variant may have rows on the page or later. */
export const variantFrom = (variant: Fragment, page: Beginning): Fragment =>
  sql.fragment`${variant} ${page.order === 'asc' ? sql.fragment`>=` : sql.fragment`<=`} ${positionOf(page).variant}`

/** The columns of a variant and a place for `order by`. */
export const pairOrder = (variant: Fragment, place: Fragment, { order }: Pick<Beginning, 'order'>): Fragment =>
  sql.fragment`${variant} ${direction(order)}, ${place} ${direction(order)}`

/**
 * The `place_key`s of places that a caller names, as an array. The key 0 is stock without a place. A caller may send the id 0, which is no
 * place, so 0 is left out.
 */
export const placeKeysOf = (ids: readonly string[] | undefined): Fragment =>
  sql.fragment`array_remove(${arrayOf(ids, 'int8')}, 0::bigint)`

/** The first fields of a row `p` of such a list, with its variant `v`. */
export const variantAtPlace = {
  item_id: reference(Item).from('v.item_id'),
  item_variant_id: reference(Variant).from('p.item_variant_id'),
  sku: text().orNull().from('v.sku'),
  title: text().from('v.title'),
  storage_place_id: reference(StoragePlace).orNull().from('nullif(p.place_key, 0)'),
}
