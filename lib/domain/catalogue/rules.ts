/**
 * Decides on new products, and on what new and changed products share: unique skus and the limit of the plan. Pure
 * (docs/rules/catalogue.md).
 */
import { decideEach, invalid, isRefusal, type Refusal, refuse } from '../../kit/api/errors.ts'
import { isBornArchived } from '../../kit/documents/puts.ts'
import type { FindHolder } from './active-variants.ts'
import { type Barcodes, barcodesAfter } from './barcode-rules.ts'
import type { Wanted } from './kits/fields.ts'
import { type NewProduct, ofShorthand, type Product, type ShorthandValues, type Variant } from './noun.ts'

/** The values of a variant that a caller may send. */
export type VariantValues = Pick<Variant, 'title' | 'attributes' | 'external_ref' | 'metadata' | 'archived'> &
  Omit<ShorthandValues, 'components'> & { readonly components: readonly Wanted[] }
/** The values of a product that a PATCH may change. `unit_id` is null for a new unit. */
export type ItemValues = Omit<Product, 'id' | 'type' | 'unit_id' | 'created_at' | 'updated_at' | 'variants'> & {
  readonly unit_id: string | null
}

/** The most active variants on the tenant's plan. */
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

/** 1 to 100 variants, from `variants` or from the fields of the product's body. */
export function newVariants(body: NewProduct): VariantValues[] {
  // The reference and the metadata of the product's body belong to the product, not to its one variant.
  const given = body.variants ?? [{ ...body, title: undefined, attributes: {}, external_ref: null, metadata: {} }]
  return given.map(variant => ({
    ...(ofShorthand(name => variant[name] ?? null) as unknown as ShorthandValues),
    // A new variant has no barcodes yet, so this cannot refuse.
    ...(barcodesAfter([], variant) as Barcodes),
    components: variant.components ?? [],
    title: variant.title ?? body.title,
    attributes: variant.attributes,
    external_ref: variant.external_ref,
    metadata: variant.metadata,
    archived: isBornArchived(variant),
  }))
}

/** The skus that active variants will have. `field` is the field that a refusal names. */
export type WantedSku = {
  readonly sku: string | null
  readonly field: string
  /** The variant does not have this sku yet. */
  readonly isNew: boolean
}

export const newSkus = (body: NewProduct, variants: readonly VariantValues[]): WantedSku[] =>
  variants.map(({ sku }, at) => ({ sku, field: body.variants ? `variants[${at}].sku` : 'sku', isNew: true }))

/**
 * Refuses `validation_failed` for a sku that a variant of another product has (`own` is this product), and for a sku that two of these
 * variants want.
 */
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

/** A reference that a variant will have. `field` is the field that a refusal names. */
export type WantedRef = { readonly ref: string; readonly field: string }

export const newRefs = (variants: readonly Pick<VariantValues, 'external_ref'>[]): WantedRef[] =>
  variants.flatMap(({ external_ref: ref }, at) =>
    ref === null ? [] : [{ ref, field: `variants[${at}].external_ref` }],
  )

/**
 * Refuses `validation_failed` for an external_ref that a variant of another product has (`own` is this product), and for one that two of
 * these variants would have. `kept`: the references that variants of this product already have.
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
 * `madeActive`: how many variants become active. `gained`: the same, less those that stop being active. Only a command that makes variants
 * active can go over the limit. Refuses `SUBSCRIPTION_LIMIT`.
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
