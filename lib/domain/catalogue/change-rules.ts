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

export type Change = {
  readonly item: ItemValues
  /** `touched`: the variant's own values change, so its updated_at changes. Else only whether it is active changes. */
  readonly changed: readonly (VariantValues & { readonly id: string; readonly touched: boolean })[]
  readonly added: readonly VariantValues[]
}

/** The tenant's data that a decision depends on. */
export type Facts = {
  /** The unit that the body names, else the product's own; null for a new unit. */
  readonly unitId: string | null
  readonly findSku: FindHolder
  readonly findRef: FindHolder
  readonly findPart: FindPart
  readonly refuseTaken: RefuseTaken
  readonly activeVariants: number | null
  readonly hasStock: () => boolean
}

/**
 * What a PATCH changes and adds; null when it changes nothing. Refuses `validation_failed` as `refuseFields` and `refuseKits` do, for a
 * variant of another product or a variant that the body has twice, a shorthand that fits several variants, a taken sku or external_ref,
 * metadata beyond its limits, too many variants, and a change of batch tracking while there is stock. Refuses `SUBSCRIPTION_LIMIT` after
 * that.
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
 * The skus and references that the change gives to variants, and the components that it adds to kits and removes from them. Empty where the
 * change is refused without them.
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
    // Equal metadata are the same object (`merged`).
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
