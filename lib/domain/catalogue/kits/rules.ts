/** What a product of type KIT may say, and which components its variants may have. Pure (docs/rules/kits.md). */
import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { noSuchVariant } from '../no-such-variant.ts'
import type { Product } from '../noun.ts'
import { type Component, KITS_MAX, type Wanted } from './fields.ts'
import type { FindPart } from './parts.ts'

type Type = Product['type']
type Given = Readonly<Record<string, unknown>>

const itemFlags = ['is_producible', 'is_purchasable', 'batch_tracked'] as const
/** Null of a kit, in the product's body and in those of its variants. */
const withoutStock = [
  'shelf_life_days',
  'minimum_stock',
  'purchase_price',
  'lead_time_days',
  'minimum_order_quantity',
  'order_multiple',
] as const

/**
 * What of a body does not go with the product's type. Refuses `validation_failed`: components of what is no kit; of a kit, flags and values of
 * stock.
 */
export function refuseFields(type: Type, body: object): Refusal | null {
  const { variants = [] } = body as { readonly variants?: readonly Given[] }
  const judge = type === 'KIT' ? refuseOfKit : refuseComponents
  return (
    judge('', body as Given) ??
    variants.map((variant, at) => judge(`variants[${at}].`, variant)).find(refused => refused !== null) ??
    null
  )
}

function refuseComponents(at: string, given: Given): Refusal | null {
  return given['components'] === undefined ? null : invalid(`${at}components`, 'is only for a product of type KIT')
}

function refuseOfKit(at: string, given: Given): Refusal | null {
  const flag = at === '' ? itemFlags.find(name => given[name] === true) : undefined
  if (flag !== undefined) return invalid(flag, 'must be false: a kit is neither made, bought nor tracked')
  const value = withoutStock.find(name => given[name] !== undefined && given[name] !== null)
  return value === undefined ? null : invalid(`${at}${value}`, 'must be null: a kit holds no stock')
}

/** A variant of a kit as it will be. */
export type PlannedKit = {
  /** Null: it is new. */
  readonly id: string | null
  readonly sku: string | null
  readonly title: string
  /** Where the body speaks of it, with the point behind it: `variants[0].`; empty: the body itself. */
  readonly at: string
  readonly components: readonly Wanted[]
  /** What it is made of already; the same list where nothing changes. */
  readonly before: readonly Component[]
}

/**
 * Refuses `validation_failed`, naming the kit and the component: a kit of nothing; a component that is absent, archived or a kit, that stands
 * twice, or in ${KITS_MAX} kits already.
 */
export function refuseKits(kits: readonly PlannedKit[], find: FindPart): Refusal | null {
  const joined = new Map<string, number>()
  const judged = decideEach(kits, kit => refuseKit(kit, { find, joined }))
  return isRefusal(judged) ? judged : null
}

function refuseKit(
  { id, sku, title, at, components, before }: PlannedKit,
  { find, joined }: { readonly find: FindPart; readonly joined: Map<string, number> },
): Refusal | null {
  const kit = sku ?? title
  if (components.length === 0)
    return invalid(`${at}components`, `is required: ${kit} is a kit, and must have at least 1 component`)
  if (components === before) return null
  const seen = new Set<string>()
  const judged = decideEach(components, ({ item_variant_id: partId }, index) => {
    const field = `${at}components[${index}].item_variant_id`
    const part = find(partId)
    if (part === null) return noSuchVariant(field, partId)
    const name = part.sku ?? part.title
    if (seen.has(partId)) return invalid(field, `${name} appears twice in the kit ${kit}`)
    seen.add(partId)
    if (part.archived) return invalid(field, `${name} is archived, so the kit ${kit} cannot contain it`)
    if (part.type === 'KIT') return invalid(field, `${name} is a kit, so the kit ${kit} cannot contain it`)
    if (id !== null && part.kits.has(id)) return null
    const count = (joined.get(partId) ?? part.kits.size) + 1
    if (count > KITS_MAX)
      return invalid(field, `${name} stands in ${KITS_MAX} kits already, so the kit ${kit} cannot contain it`)
    joined.set(partId, count)
    return null
  })
  return isRefusal(judged) ? judged : null
}

/** The components as they are shown. What was there is the same list. */
export function componentsOf(
  wanted: readonly Wanted[],
  before: readonly Component[],
  find: FindPart,
): readonly Component[] {
  if (wanted === before) return before
  return wanted.map(({ item_variant_id: id, quantity }) => {
    const part = find(id)
    if (part === null) throw new Error(`the component ${id} is not there`)
    return { item_variant_id: id, item_id: part.item_id, sku: part.sku, title: part.title, quantity }
  })
}

/** The components after a body; the same list where they do not change. */
export function componentsAfter<W extends Wanted>(
  before: readonly W[],
  given: readonly Wanted[] | undefined,
): readonly W[] | readonly Wanted[] {
  if (given === undefined) return before
  const isSame =
    given.length === before.length &&
    given.every(
      ({ item_variant_id, quantity }, at) =>
        item_variant_id === before[at]?.item_variant_id && quantity === before[at]?.quantity,
    )
  return isSame ? before : given
}
