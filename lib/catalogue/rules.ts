/**
 * Decides on new products, and what new and changed ones have in common: unique skus, the plan's limit. Pure: no I/O and
 * no clock (contract 2, "Product"; contract 1, "Rate limit and quota").
 */
import { refuseTakenBy } from '../accounting/taken.ts'
import { invalid, type Refusal, refuse } from '../api/errors.ts'
import type { NewProduct } from './schemas.ts'

/** A variant's values as they are stored; decimals as plain text. */
export type VariantValues = {
  readonly title: string
  readonly sku: string | null
  readonly barcode: string | null
  readonly price: string | null
  readonly purchase_price: string | null
  readonly minimum_stock: string | null
  readonly attributes: Readonly<Record<string, string>>
  readonly archived: boolean
}

export type ItemValues = {
  readonly title: string
  readonly description: string | null
  readonly category: string | null
  readonly unit_name: string
  readonly is_sellable: boolean
  readonly is_producible: boolean
  readonly is_purchasable: boolean
  readonly batch_tracked: boolean
  readonly shelf_life_days: number | null
  readonly external_ref: string | null
  readonly archived: boolean
}

export type NewItemValues = ItemValues & { readonly type: NewProduct['type'] }

/** The unarchived variant that holds a sku, by the ids of the variant and its product. */
export type TakenSku = { readonly sku: string; readonly id: string; readonly item_id: string }

/** What the tenant's data says about a body. */
export type Surroundings = {
  /** Of the skus in question those that another product's unarchived variant holds. */
  readonly takenSkus: readonly TakenSku[]
  /** The other product that has the external_ref, or null. */
  readonly externalRefTakenBy: string | null
  /** The tenant's variants that are unarchived in effect; null on a plan without a limit. */
  readonly activeVariants: number | null
}

/** Unarchived variants that the tenant's plan allows. */
export type Limits = { readonly freePlanVariantsMax: number }

export type Creation = { readonly item: NewItemValues; readonly variants: readonly VariantValues[] }

/**
 * The rows that a new product becomes: 1 to 100 variants, by `variants` or the shorthand.
 * Refuses `validation_failed` for a taken sku or external_ref, then `SUBSCRIPTION_LIMIT`.
 */
export function decideCreation(body: NewProduct, surroundings: Surroundings, limits: Limits): Creation | Refusal {
  const variants = newVariants(body)
  const skus = variants.map(({ sku }, at) => ({ sku, field: body.variants ? `variants[${at}].sku` : 'sku' }))
  return (
    refuseTakenSku(skus, surroundings.takenSkus) ??
    refuseTakenBy('external_ref', surroundings.externalRefTakenBy) ??
    refuseOverLimit({ madeActive: variants.length, gained: variants.length }, surroundings, limits) ?? {
      item: newItem(body),
      variants,
    }
  )
}

function newItem(body: NewProduct): NewItemValues {
  const { title, type, description, category, unit_name, is_sellable, is_purchasable } = body
  const { batch_tracked, shelf_life_days, external_ref } = body
  const is_producible = body.is_producible ?? type === 'PRODUCT'
  return {
    ...{ title, type, description, category, unit_name, is_sellable, is_producible, is_purchasable },
    ...{ batch_tracked, shelf_life_days, external_ref, archived: false },
  }
}

function newVariants(body: NewProduct): VariantValues[] {
  if (body.variants) {
    return body.variants.map(variant => ({ ...variant, title: variant.title ?? body.title, archived: false }))
  }
  const { title, sku = null, barcode = null, price = null, purchase_price = null, minimum_stock = null } = body
  return [{ title, sku, barcode, price, purchase_price, minimum_stock, attributes: {}, archived: false }]
}

/** Skus that a body asks about, so that they can be looked up before it is decided. */
export function skusOf(body: {
  sku?: string | null | undefined
  variants?: readonly { sku?: string | null | undefined }[] | undefined
}): string[] {
  const all = [body.sku, ...(body.variants ?? []).map(({ sku }) => sku)]
  return [...new Set(all.filter(sku => typeof sku === 'string'))]
}

/** The skus that will be held by unarchived variants, each with the field to name when it cannot be. */
export type WantedSku = { readonly sku: string | null; readonly field: string }

export function refuseTakenSku(wanted: readonly WantedSku[], takenSkus: readonly TakenSku[]): Refusal | undefined {
  const taken = new Map(takenSkus.map(holder => [holder.sku, holder]))
  const seen = new Set<string>()
  for (const { sku, field } of wanted) {
    if (sku === null) continue
    const holder = taken.get(sku)
    if (holder) return invalid(field, `"${sku}" is taken by ${holder.id}, a variant of product ${holder.item_id}`)
    if (seen.has(sku)) return invalid(field, `the sku "${sku}" would stand on two unarchived variants of this product`)
    seen.add(sku)
  }
  return undefined
}

/**
 * `madeActive`: variants that become unarchived in effect; `gained`: those less the ones that stop being so. Only a command
 * that makes some can go over the limit.
 */
export function refuseOverLimit(
  { madeActive, gained }: { readonly madeActive: number; readonly gained: number },
  { activeVariants }: Surroundings,
  { freePlanVariantsMax }: Limits,
): Refusal | undefined {
  if (activeVariants === null || madeActive === 0 || activeVariants + gained <= freePlanVariantsMax) return undefined
  return refuse(
    'SUBSCRIPTION_LIMIT',
    `the free plan holds ${freePlanVariantsMax} unarchived variants, of which ${activeVariants} are in use`,
  )
}
