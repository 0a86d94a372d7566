/**
 * Decides what a PATCH makes of a product and its variants. Pure (docs/rules/catalogue.md).
 */
import { invalid, isRefusal, type Refusal } from '../../kit/api/errors.ts'
import type { RefuseTaken } from '../../kit/documents/needs.ts'
import type { FindHolder } from './active-variants.ts'
import type { Wanted } from './kits/fields.ts'
import type { FindPart } from './kits/parts.ts'
import { refuseFields, refuseKits } from './kits/rules.ts'
import { type Product, type ProductChange, shorthandNames, VARIANTS_PER_PRODUCT_MAX } from './noun.ts'
import {
  type ItemValues,
  type Limits,
  refuseOverLimit,
  refuseTakenRef,
  refuseTakenSku,
  type VariantValues,
  type WantedRef,
  type WantedSku,
} from './rules.ts'
import {
  countActive,
  isActive,
  keptRefs,
  or,
  type Planned,
  plannedKits,
  planVariants,
  wantedRefs,
  wantedSkus,
} from './variant-plan.ts'

/** What changes and what is added. */
export type Change = {
  readonly item: ItemValues
  /** `touched`: its own values change, so that its updated_at moves; else only whether it is unarchived in effect. */
  readonly changed: readonly (VariantValues & { readonly id: string; readonly touched: boolean })[]
  readonly added: readonly VariantValues[]
}

/** What the tenant's data says about a body. */
export type Facts = {
  /** The unit that the body names: the product's own where it names none, null where it is new. */
  readonly unitId: string | null
  readonly findSku: FindHolder
  readonly findRef: FindHolder
  readonly findPart: FindPart
  readonly refuseTaken: RefuseTaken
  readonly activeVariants: number | null
  readonly hasStock: () => boolean
}

/**
 * What a PATCH changes and adds; null when it changes nothing.
 * Refuses `validation_failed` as `refuseFields` and `refuseKits` do, for a variant that is not the product's or named twice, a shorthand that does not say which
 * variant, a taken sku or external_ref, metadata beyond its limits, too many variants, batch tracking switched while there is stock; then
 * `SUBSCRIPTION_LIMIT`.
 */
export function decideChange(
  product: Product,
  body: ProductChange,
  { unitId, findSku, findRef, findPart, refuseTaken, activeVariants, hasStock }: Facts,
  limits: Limits,
): Change | null | Refusal {
  const refused = refuseFields(product.type, body)
  if (refused !== null) return refused
  const item = changedItem(product, body, unitId)
  const planned = planVariants(product, item, body)
  if (isRefusal(planned)) return planned
  return (
    refuseTooMany(planned) ??
    refuseKits(plannedKits(product, planned), findPart) ??
    refuseTakenSku(wantedSkus(product, item, planned), { find: findSku, own: product.id }) ??
    refuseTakenRef(wantedRefs(planned), { find: findRef, own: product.id, kept: keptRefs(planned) }) ??
    refuseTaken(product.id) ??
    refuseTracking(product, item, hasStock) ??
    refuseOverLimit(countActive(product, item, planned), activeVariants, limits) ??
    changeOf(product, item, planned)
  )
}

/**
 * The skus and references that the change would take, and the components that it would give to kits and take from them: none where it is
 * refused before they matter.
 */
export function textsToTake(
  product: Product,
  body: ProductChange,
): {
  readonly skus: readonly WantedSku[]
  readonly refs: readonly WantedRef[]
  readonly parts: readonly Wanted[]
  readonly replaced: readonly Wanted[]
} {
  const item = changedItem(product, body, product.unit_id)
  const planned = planVariants(product, item, body)
  if (isRefusal(planned)) return { skus: [], refs: [], parts: [], replaced: [] }
  const others = planned.filter(({ before, after }) => after.components !== before?.components)
  return {
    skus: wantedSkus(product, item, planned).filter(({ isNew }) => isNew),
    refs: wantedRefs(planned),
    parts: others.flatMap(({ after }) => after.components),
    replaced: others.flatMap(({ before }) => before?.components ?? []),
  }
}

const changedItem = (stored: Product, body: ProductChange, unitId: string | null): ItemValues => ({
  title: or(body.title, stored.title),
  description: or(body.description, stored.description),
  category: or(body.category, stored.category),
  unit_id: unitId,
  is_sellable: or(body.is_sellable, stored.is_sellable),
  is_producible: or(body.is_producible, stored.is_producible),
  is_purchasable: or(body.is_purchasable, stored.is_purchasable),
  batch_tracked: or(body.batch_tracked, stored.batch_tracked),
  shelf_life_days: or(body.shelf_life_days, stored.shelf_life_days),
  external_ref: or(body.external_ref, stored.external_ref),
  metadata: or(body.metadata, stored.metadata),
  archived: or(body.archived, stored.archived),
})

function refuseTooMany(planned: readonly Planned[]): Refusal | null {
  if (planned.length <= VARIANTS_PER_PRODUCT_MAX || planned.every(({ before }) => before !== null)) return null
  return invalid('variants', `a product has at most ${VARIANTS_PER_PRODUCT_MAX} variants`)
}

function refuseTracking(product: Product, item: ItemValues, hasStock: () => boolean): Refusal | null {
  if (item.batch_tracked === product.batch_tracked || !hasStock()) return null
  return invalid('batch_tracked', 'cannot change while the product has stock')
}

function changeOf(product: Product, item: ItemValues, planned: readonly Planned[]): Change | null {
  const added = planned.filter(({ before }) => before === null).map(({ after }) => after)
  const changed = planned.flatMap(({ before, after }) => {
    if (before === null) return []
    const touched = !sameVariant(before, after)
    return touched || isActive(product, before) !== isActive(item, after) ? [{ ...after, id: before.id, touched }] : []
  })
  return added.length === 0 && changed.length === 0 && sameItem(product, item) ? null : { item, changed, added }
}

function sameItem(product: Product, item: ItemValues): boolean {
  return Object.entries(item).every(([name, value]) => product[name as keyof ItemValues] === value)
}

function sameVariant(one: VariantValues, other: VariantValues): boolean {
  return (
    sameTexts(one.attributes, other.attributes) &&
    // An equal one is the same object.
    one.metadata === other.metadata &&
    (['title', 'external_ref', 'archived', ...shorthandNames] as const).every(name => one[name] === other[name])
  )
}

function sameTexts(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length && keys.every(key => Object.hasOwn(other, key) && other[key] === one[key])
  )
}
