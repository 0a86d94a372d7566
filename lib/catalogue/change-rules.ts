/**
 * Decides what a PATCH makes of a product and its variants. Pure: no I/O and no clock (contract 2, "Product"; contract 1,
 * "PATCH").
 */
import { invalid, isRefusal, type Refusal } from '../api/errors.ts'
import {
  type ItemValues,
  type Limits,
  refuseOverLimit,
  refuseTakenRef,
  refuseTakenSku,
  type Surroundings,
  type VariantValues,
  type WantedSku,
} from './rules.ts'
import { firstShorthand, type ProductChange, VARIANTS_PER_PRODUCT_MAX, type VariantChange } from './schemas.ts'

export type StoredVariant = VariantValues & { readonly id: string }

/** The product as it is. */
export type StoredProduct = {
  readonly item: ItemValues
  /** All of them, ascending by id. */
  readonly variants: readonly StoredVariant[]
  /** Whether any of the variants has physical stock. */
  readonly hasStock: boolean
}

/** Rows to write. */
export type Change = {
  readonly item: ItemValues
  /** `touched`: its own values change, so that its updated_at moves; else only whether it is unarchived in effect. */
  readonly changed: readonly (StoredVariant & { readonly touched: boolean })[]
  readonly added: readonly VariantValues[]
}

/** A variant as it will be, with where the body speaks of it (`variants[0]`; null: the body itself, or nowhere). */
type Planned = { readonly before: StoredVariant | null; readonly after: VariantValues; readonly place: string | null }

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
    refuseTakenRef(surroundings) ??
    refuseTracking(product, item) ??
    refuseOverLimit(countActive(product.item, item, planned), surroundings, limits) ??
    changeOf(product, item, planned)
  )
}

/** Omitted leaves unchanged; null clears. */
function or<T>(given: T | undefined, stored: T): T {
  return given === undefined ? stored : given
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

function changedVariant(stored: VariantValues, given: VariantChange): VariantValues {
  return {
    title: or(given.title, stored.title),
    sku: or(given.sku, stored.sku),
    barcode: or(given.barcode, stored.barcode),
    price: or(given.price, stored.price),
    purchase_price: or(given.purchase_price, stored.purchase_price),
    minimum_stock: or(given.minimum_stock, stored.minimum_stock),
    attributes: or(given.attributes, stored.attributes),
    archived: or(given.archived, stored.archived),
  }
}

/** Every variant of the product as it will be: the stored ones in their order, then the added ones in the body's. */
function planVariants(product: StoredProduct, item: ItemValues, body: ProductChange): Planned[] | Refusal {
  const entries = entriesOf(product, body)
  if (isRefusal(entries)) return entries
  const empty = { sku: null, barcode: null, price: null, purchase_price: null, minimum_stock: null }
  const added = entries
    .filter(({ given }) => given.id === undefined)
    .map(({ given, place }) => ({
      before: null,
      after: changedVariant({ ...empty, title: item.title, attributes: {}, archived: false }, given),
      place,
    }))
  const byId = new Map(entries.map(entry => [entry.given.id, entry]))
  const kept = product.variants.map(before => {
    const entry = byId.get(before.id)
    return { before, after: entry ? changedVariant(before, entry.given) : before, place: entry?.place ?? null }
  })
  return [...kept, ...added]
}

type Entry = { readonly given: VariantChange; readonly place: string | null }

/** The body's variants, or its shorthand as the one entry that it stands for. */
function entriesOf(product: StoredProduct, body: ProductChange): Entry[] | Refusal {
  const shorthand = firstShorthand(body)
  if (shorthand !== undefined) {
    const unarchived = product.variants.filter(({ archived }) => !archived)
    const [only] = unarchived
    if (only === undefined || unarchived.length > 1)
      return invalid(shorthand, `the product has ${unarchived.length} unarchived variants; name them in variants[]`)
    const { sku, barcode, price, purchase_price, minimum_stock } = body
    return [{ given: { id: only.id, sku, barcode, price, purchase_price, minimum_stock }, place: null }]
  }
  const ids = new Set(product.variants.map(({ id }) => id))
  const entries: Entry[] = []
  const seen = new Set<string>()
  for (const [at, given] of (body.variants ?? []).entries()) {
    const place = `variants[${at}]`
    if (given.id === undefined) {
      if (given.archived !== undefined) return invalid(`${place}.archived`, 'goes with the id of a variant')
    } else {
      if (!ids.has(given.id)) return invalid(`${place}.id`, 'no such variant of this product')
      if (seen.has(given.id)) return invalid(`${place}.id`, 'the variant appears twice')
      seen.add(given.id)
    }
    entries.push({ given, place })
  }
  return entries
}

function refuseTooMany(planned: readonly Planned[]): Refusal | undefined {
  if (planned.length <= VARIANTS_PER_PRODUCT_MAX || planned.every(({ before }) => before !== null)) return undefined
  return invalid('variants', `a product has at most ${VARIANTS_PER_PRODUCT_MAX} variants`)
}

/**
 * The skus of the variants that will be unarchived in effect. Those that the body leaves alone come first, so that a clash
 * inside the product names the field that causes it.
 */
function wantedSkus(
  planned: readonly Planned[],
  { item, wasArchived }: { readonly item: ItemValues; readonly wasArchived: boolean },
): WantedSku[] {
  if (item.archived) return []
  const wanted = planned
    .filter(({ after }) => !after.archived)
    .map(({ before, after, place }) => {
      const newSku = before === null || before.sku !== after.sku
      const causes = newSku || (before?.archived ?? false)
      const own = newSku ? 'sku' : 'archived'
      const field = !causes && wasArchived ? 'archived' : place === null ? own : `${place}.${own}`
      return { sku: after.sku, field, causes }
    })
  return [...wanted.filter(({ causes }) => !causes), ...wanted.filter(({ causes }) => causes)]
}

function refuseTracking(product: StoredProduct, item: ItemValues): Refusal | undefined {
  if (item.batch_tracked === product.item.batch_tracked || !product.hasStock) return undefined
  return invalid('batch_tracked', 'cannot change while the product has stock')
}

function countActive(before: ItemValues, after: ItemValues, planned: readonly Planned[]) {
  let madeActive = 0
  let gained = 0
  for (const variant of planned) {
    const was = variant.before !== null && isActive(before, variant.before)
    const is = isActive(after, variant.after)
    if (is && !was) madeActive++
    gained += Number(is) - Number(was)
  }
  return { madeActive, gained }
}

/** Unarchived in effect. */
function isActive(item: ItemValues, variant: VariantValues): boolean {
  return !item.archived && !variant.archived
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
