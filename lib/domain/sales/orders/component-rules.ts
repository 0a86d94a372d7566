/** The components of lines of kits: how many are in a number of kits, and how many are left. Pure (docs/rules/kits.md). */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { divideRounded, MICRO_PLACES, type Micro, powerOfTen } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { holdsStock } from '../../stock/order-line.ts'
import type { Stock, Variant, Where } from '../../stock/stock.ts'
import type { Component, Line } from './noun.ts'
import { greater } from './quantity-rules.ts'

const ONE = powerOfTen(MICRO_PLACES)
/** Quantities are less than this. */
const QUANTITY_LIMIT: Micro = powerOfTen(9) * ONE
/** The most components in all lines of an order. */
const COMPONENTS_MAX = 2_000

/** The name of a kit's component in messages. */
export const componentName = (kit: Named, part: Named) => ({
  sku: null,
  title: `${nameOf(part)} (of the kit ${nameOf(kit)})`,
})
type Named = Pick<Variant, 'sku' | 'title'>

/** The quantity of a component in this many kits. */
export const inKits = (kits: Micro, each: Micro): Micro => divideRounded(kits * each, ONE)

/** A component of a kit as the stock has it, how many are in one kit, and how many in all these kits. */
export type Share = { readonly part: Variant; readonly each: Micro; readonly quantity: Micro }

/**
 * The components in this many kits; empty for a variant that is no kit. Refuses `validation_failed` and names the kit and the component:
 * for an archived component, and for a quantity beyond the limit.
 */
export function sharesOf(
  stock: Pick<Stock, 'variants'>,
  { at, kit, quantity }: { readonly at: string; readonly kit: Variant; readonly quantity: Micro },
): readonly Share[] | Refusal {
  const shares: Share[] = []
  for (const { itemVariantId, quantity: each } of kit.components) {
    const part = stock.variants.get(itemVariantId)
    if (part === undefined) throw new Error(`the component ${itemVariantId} of ${kit.id} is gone`)
    if (part.archived)
      return invalid(`${at}.item_variant_id`, `${nameOf(part)}, a component of the kit ${nameOf(kit)}, is archived`)
    const share = inKits(quantity, each)
    if (share >= QUANTITY_LIMIT) return tooMany(at, kit, part)
    shares.push({ part, each, quantity: share })
  }
  return shares
}

const tooMany = (at: string, kit: Named, part: Named): Refusal =>
  invalid(`${at}.quantity`, `so many of ${nameOf(part)} in the kit ${nameOf(kit)} must be less than 1000000000`)

/** The components of a new line. Takes an id for each. Refuses as `sharesOf` does. */
export function newComponents(
  stock: Stock,
  kit: { readonly at: string; readonly kit: Variant; readonly quantity: Micro },
): readonly Component[] | Refusal {
  const shares = sharesOf(stock, kit)
  if ('refusal' in shares) return shares
  return shares.map(({ part, each, quantity }) => ({
    id: stock.takeId(),
    item_variant_id: part.id,
    sku: part.sku,
    title: part.title,
    quantity_per_kit: each,
    quantity,
    shipped_quantity: 0n,
    holds_stock: holdsStock(part),
    shipped_value: 0n,
  }))
}

/**
 * The components of a line whose quantity changes. None falls below what is shipped. Refuses `validation_failed` for a quantity beyond the
 * limit.
 */
export function changedComponents(at: string, line: Line): readonly Component[] | Refusal {
  const after: Component[] = []
  for (const part of line.components) {
    const share = inKits(line.quantity, part.quantity_per_kit)
    if (share >= QUANTITY_LIMIT) return tooMany(at, line, part)
    const quantity = greater(share, part.shipped_quantity)
    after.push(quantity === part.quantity ? part : { ...part, quantity })
  }
  return after
}

/** Refuses `validation_failed` for more components than an order may have. */
export function refuseComponentCount(lines: readonly Pick<Line, 'components'>[]): Refusal | null {
  const count = lines.reduce((sum, { components }) => sum + components.length, 0)
  return count > COMPONENTS_MAX
    ? invalid('items', `an order has at most ${COMPONENTS_MAX} components of kits in all its lines, not ${count}`)
    : null
}

/** The positions of the line's components that hold stock. */
export const componentPlaces = ({
  components,
  storage_place_id: storagePlaceId,
}: {
  readonly components: readonly Pick<Component, 'item_variant_id' | 'holds_stock'>[]
  readonly storage_place_id: string | null
}): Where[] =>
  components.flatMap(({ item_variant_id: itemVariantId, holds_stock: isStock }) =>
    isStock ? [{ itemVariantId, storagePlaceId }] : [],
  )

/** The positions of a line: of its variant, or of the components of its kit. */
export const placesOfLine = (line: {
  readonly item_variant_id: string | null
  readonly components: readonly Pick<Component, 'item_variant_id' | 'holds_stock'>[]
  readonly storage_place_id: string | null
}): Where[] => {
  if (line.components.length > 0) return componentPlaces(line)
  return line.item_variant_id === null
    ? []
    : [{ itemVariantId: line.item_variant_id, storagePlaceId: line.storage_place_id }]
}

/** What a line still needs from stock: its own variant, or components. */
export type LineDemand = { readonly named: Named; readonly where: Where; readonly quantity: Micro }

/** Empty for a line that is shipped in full: the rest that rounding left of a component is not needed. */
export function demandsOf(line: Line): readonly LineDemand[] {
  const left = line.quantity - line.shipped_quantity
  if (left === 0n || line.item_variant_id === null) return []
  const storagePlaceId = line.storage_place_id
  if (line.holds_stock)
    return [{ named: line, where: { itemVariantId: line.item_variant_id, storagePlaceId }, quantity: left }]
  return line.components.flatMap(part => {
    const quantity = part.quantity - part.shipped_quantity
    if (!part.holds_stock || quantity === 0n) return []
    const where = { itemVariantId: part.item_variant_id, storagePlaceId }
    return [{ named: componentName(line, part), where, quantity }]
  })
}
