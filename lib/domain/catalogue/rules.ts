/**
 * Decides on new products, and what new and changed ones have in common: unique skus, the plan's limit. Pure
 * (docs/rules/catalogue.md).
 */
import { decideEach, invalid, isRefusal, type Refusal, refuse } from '../../kit/api/errors.ts'
import { isBornArchived } from '../../kit/documents/puts.ts'
import type { FindHolder } from './active-variants.ts'
import { type Barcodes, barcodesAfter } from './barcode-rules.ts'
import type { Wanted } from './kits/fields.ts'
import { type NewProduct, ofShorthand, type Product, type ShorthandValues, type Variant } from './noun.ts'

/** What a caller says of a variant. */
export type VariantValues = Pick<Variant, 'title' | 'attributes' | 'external_ref' | 'metadata' | 'archived'> &
  Omit<ShorthandValues, 'components'> & { readonly components: readonly Wanted[] }
/** What a PATCH may change of a product itself; `unit_id` is null where the unit is yet to be made. */
export type ItemValues = Omit<Product, 'id' | 'type' | 'unit_id' | 'created_at' | 'updated_at' | 'variants'> & {
  readonly unit_id: string | null
}

/** Unarchived variants that the tenant's plan allows. */
export type Limits = { readonly freePlanVariantsMax: number }

export function newItem(body: NewProduct) {
  const { title, type, description, category, is_sellable } = body
  const { batch_tracked, shelf_life_days, external_ref, metadata } = body
  const is_producible = body.is_producible ?? type === 'PRODUCT'
  const is_purchasable = body.is_purchasable ?? type !== 'KIT'
  return {
    ...{ title, type, description, category, is_sellable, is_producible, is_purchasable },
    ...{ batch_tracked, shelf_life_days, external_ref, metadata, archived: isBornArchived(body) },
  }
}

/** 1 to 100 variants, by `variants` or the shorthand. */
export function newVariants(body: NewProduct): VariantValues[] {
  // A product's own reference and metadata are no shorthand.
  const given = body.variants ?? [{ ...body, title: undefined, attributes: {}, external_ref: null, metadata: {} }]
  return given.map(variant => ({
    ...(ofShorthand(name => variant[name] ?? null) as unknown as ShorthandValues),
    // Of a new variant nothing is refused.
    ...(barcodesAfter([], variant) as Barcodes),
    components: variant.components ?? [],
    title: variant.title ?? body.title,
    attributes: variant.attributes,
    external_ref: variant.external_ref,
    metadata: variant.metadata,
    archived: isBornArchived(variant),
  }))
}

/** The skus that will be on unarchived variants, each with the field to name when it cannot be. */
export type WantedSku = {
  readonly sku: string | null
  readonly field: string
  /** The variant does not have it yet. */
  readonly isNew: boolean
}

export const newSkus = (body: NewProduct, variants: readonly VariantValues[]): WantedSku[] =>
  variants.map(({ sku }, at) => ({ sku, field: body.variants ? `variants[${at}].sku` : 'sku', isNew: true }))

/** Refuses `validation_failed` for a sku of another product's variant (`own` is this one), and for one that is wanted twice. */
export function refuseTakenSku(
  wanted: readonly WantedSku[],
  { find, own = null }: { readonly find: FindHolder; readonly own?: string | null },
): Refusal | null {
  const seen = new Set<string>()
  const judged = decideEach(wanted, ({ sku, field, isNew }) => {
    if (sku === null) return null
    const holder = isNew ? find(sku) : null
    const name = field.endsWith('sku') ? `"${sku}"` : `the sku "${sku}"`
    if (holder !== null && holder.item_id !== own)
      return invalid(field, `${name} is taken by ${holder.id}, a variant of product ${holder.item_id}`)
    if (seen.has(sku)) return invalid(field, `the sku "${sku}" would stand on two unarchived variants of this product`)
    seen.add(sku)
    return null
  })
  return isRefusal(judged) ? judged : null
}

/** A reference that a variant will have, with the field to name when it cannot be. */
export type WantedRef = { readonly ref: string; readonly field: string }

export const newRefs = (variants: readonly Pick<VariantValues, 'external_ref'>[]): WantedRef[] =>
  variants.flatMap(({ external_ref: ref }, at) =>
    ref === null ? [] : [{ ref, field: `variants[${at}].external_ref` }],
  )

/**
 * Refuses `validation_failed` for an external_ref of another product's variant (`own` is this one), and for one that two of these variants
 * would have (`kept`: those that variants already have).
 */
export function refuseTakenRef(
  wanted: readonly WantedRef[],
  {
    find,
    own = null,
    kept = [],
  }: { readonly find: FindHolder; readonly own?: string | null; readonly kept?: readonly string[] },
): Refusal | null {
  const seen = new Set(kept)
  const judged = decideEach(wanted, ({ ref, field }) => {
    const holder = find(ref)
    if (holder !== null && holder.item_id !== own)
      return invalid(field, `"${ref}" is taken by ${holder.id}, a variant of product ${holder.item_id}`)
    if (seen.has(ref)) return invalid(field, `"${ref}" would stand on two variants of this product`)
    seen.add(ref)
    return null
  })
  return isRefusal(judged) ? judged : null
}

/**
 * `madeActive`: variants that become unarchived in effect; `gained`: those less the ones that stop being so. Only a command
 * that makes some can go over the limit. Refuses `SUBSCRIPTION_LIMIT`.
 */
export function refuseOverLimit(
  { madeActive, gained }: { readonly madeActive: number; readonly gained: number },
  activeVariants: number | null,
  { freePlanVariantsMax }: Limits,
): Refusal | null {
  if (activeVariants === null || madeActive === 0 || activeVariants + gained <= freePlanVariantsMax) return null
  return refuse(
    'SUBSCRIPTION_LIMIT',
    `the free plan holds ${freePlanVariantsMax} unarchived variants, of which ${activeVariants} are in use`,
  )
}
