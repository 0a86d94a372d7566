/**
 * Which variant a row of products means, and what the row says of it. Rows that repeat a product's external_ref are its variants. Pure: no I/O
 * and no clock.
 */
import { shorthandNames } from '../../domain/catalogue/noun.ts'
import type { JsonObject } from '../../platform/json.ts'
import type { Fault } from './columns.ts'
import { objectsOf, sameValue } from './json-values.ts'
import { differenceOf } from './record-writer.ts'

/** Columns of a variant that are no fields of a product, with the names of their fields. */
export const variantColumns = { variant_title: 'title', variant_external_ref: 'external_ref' } as const

const named: ReadonlyMap<string, string> = new Map([
  ...shorthandNames.map(name => [name, name] as const),
  ...Object.entries(variantColumns),
])

/** What the row says of the product, and of its variant. */
export function partsOf(row: JsonObject): { readonly product: JsonObject; readonly variant: JsonObject } {
  const [product, variant]: JsonObject[] = [Object.create(null), Object.create(null)]
  for (const [name, value] of Object.entries(row)) {
    const field = named.get(name)
    if (field === undefined) (product as JsonObject)[name] = value
    else (variant as JsonObject)[field] = value
  }
  return { product: product as JsonObject, variant: variant as JsonObject }
}

/** The body of the POST that makes the product of the row. */
export function newProduct(row: JsonObject): JsonObject {
  if (Object.keys(variantColumns).every(name => !(name in row))) return row
  const { product, variant } = partsOf(row)
  return { ...product, variants: [variant] }
}

/** The variant that the row means: by external_ref, else sku, else title, else the only one; null where it is new. */
export function foundVariant(variant: JsonObject, found: JsonObject): JsonObject | null | Fault {
  const all = objectsOf(found['variants'])
  const unarchived = all.filter(({ archived }) => archived !== true)
  for (const name of ['external_ref', 'sku', 'title']) {
    const value = variant[name]
    if (value === undefined || value === null) continue
    const [one, other] =
      [unarchived, all].map(of => of.filter(each => sameValue(value, each[name]))).find(of => of.length > 0) ?? []
    if (other !== undefined) return { fault: `${name}: the product has several variants with ${JSON.stringify(value)}` }
    if (one !== undefined) return one
  }
  if (variant['sku'] !== undefined || variant['title'] !== undefined) return null
  const [only = null, second] = unarchived.length > 0 ? unarchived : all
  return second === undefined
    ? only
    : { fault: 'sku: the product has several variants, and the row names none of them' }
}

/** What a PATCH must say so that the product has what the row says; empty where it has. */
export function changeOf(row: JsonObject, found: JsonObject): JsonObject | Fault {
  const { product, variant } = partsOf(row)
  const change = differenceOf(product, found)
  if ('type' in change) return { fault: `type: is ${found['type']} and cannot change` }
  if (Object.keys(variant).length === 0) return change
  const before = foundVariant(variant, found)
  if (before === null) return { ...change, variants: [variant] }
  if ('fault' in before) return before as Fault
  const differing = differenceOf(variant, before)
  return Object.keys(differing).length === 0
    ? change
    : { ...change, variants: [{ id: before['id'] ?? null, ...differing }] }
}
