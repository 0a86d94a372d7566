/**
 * Decides what a PATCH makes of a product and its variants. Pure: no I/O and no clock (contract 2, "Product"; contract 1,
 * "PATCH").
 */
import { refuseTakenBy } from '../accounting/taken.ts'
import { invalid, isRefusal, type Refusal } from '../api/errors.ts'
import {
  type ItemValues,
  type Limits,
  refuseOverLimit,
  refuseTakenSku,
  type Surroundings,
  type VariantValues,
} from './rules.ts'
import { type ProductChange, VARIANTS_PER_PRODUCT_MAX } from './schemas.ts'
import {
  countActive,
  isActive,
  or,
  type Planned,
  planVariants,
  type StoredProduct,
  type StoredVariant,
  wantedSkus,
} from './variant-plan.ts'

/** Rows to write. */
export type Change = {
  readonly item: ItemValues
  /** `touched`: its own values change, so that its updated_at moves; else only whether it is unarchived in effect. */
  readonly changed: readonly (StoredVariant & { readonly touched: boolean })[]
  readonly added: readonly VariantValues[]
}

/**
 * The rows that a PATCH changes and adds; null when it changes nothing.
 * Refuses `validation_failed` for a variant that is not the product's or named twice, a shorthand that does not say which
 * variant, a taken sku or external_ref, too many variants, batch tracking switched while there is stock; then
 * `SUBSCRIPTION_LIMIT`.
 */
export function decideChange(
  product: StoredProduct,
  body: ProductChange,
  surroundings: Surroundings,
  limits: Limits,
): Change | null | Refusal {
  const item = changedItem(product.item, body)
  const planned = planVariants(product, item, body)
  if (isRefusal(planned)) return planned
  return (
    refuseTooMany(planned) ??
    refuseTakenSku(wantedSkus(planned, { item, wasArchived: product.item.archived }), surroundings.takenSkus) ??
    refuseTakenBy('external_ref', surroundings.externalRefTakenBy) ??
    refuseTracking(product, item) ??
    refuseOverLimit(countActive(product.item, item, planned), surroundings, limits) ??
    changeOf(product, item, planned)
  )
}

function changedItem(stored: ItemValues, body: ProductChange): ItemValues {
  return {
    title: or(body.title, stored.title),
    description: or(body.description, stored.description),
    category: or(body.category, stored.category),
    unit_name: or(body.unit_name, stored.unit_name),
    is_sellable: or(body.is_sellable, stored.is_sellable),
    is_producible: or(body.is_producible, stored.is_producible),
    is_purchasable: or(body.is_purchasable, stored.is_purchasable),
    batch_tracked: or(body.batch_tracked, stored.batch_tracked),
    shelf_life_days: or(body.shelf_life_days, stored.shelf_life_days),
    external_ref: or(body.external_ref, stored.external_ref),
    archived: or(body.archived, stored.archived),
  }
}

function refuseTooMany(planned: readonly Planned[]): Refusal | undefined {
  if (planned.length <= VARIANTS_PER_PRODUCT_MAX || planned.every(({ before }) => before !== null)) return undefined
  return invalid('variants', `a product has at most ${VARIANTS_PER_PRODUCT_MAX} variants`)
}

function refuseTracking(product: StoredProduct, item: ItemValues): Refusal | undefined {
  if (item.batch_tracked === product.item.batch_tracked || !product.hasStock) return undefined
  return invalid('batch_tracked', 'cannot change while the product has stock')
}

function changeOf(product: StoredProduct, item: ItemValues, planned: readonly Planned[]): Change | null {
  const added = planned.filter(({ before }) => before === null).map(({ after }) => after)
  const changed = planned.flatMap(({ before, after }) => {
    if (before === null) return []
    const touched = !sameVariant(before, after)
    return touched || isActive(product.item, before) !== isActive(item, after)
      ? [{ ...after, id: before.id, touched }]
      : []
  })
  return added.length === 0 && changed.length === 0 && sameItem(product.item, item) ? null : { item, changed, added }
}

function sameItem(one: ItemValues, other: ItemValues): boolean {
  return Object.entries(one).every(([name, value]) => other[name as keyof ItemValues] === value)
}

function sameVariant(one: VariantValues, other: VariantValues): boolean {
  return (
    sameTexts(one.attributes, other.attributes) &&
    (['title', 'sku', 'barcode', 'price', 'purchase_price', 'minimum_stock', 'archived'] as const).every(
      name => one[name] === other[name],
    )
  )
}

function sameTexts(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length && keys.every(key => Object.hasOwn(other, key) && other[key] === one[key])
  )
}
