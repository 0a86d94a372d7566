/** Which fields a product of type KIT may have, and which components its variants may have. Pure (docs/rules/kits.md). */
import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { noSuchVariant } from '../no-such-variant.ts'
import type { Product } from '../noun.ts'
import { type Component, KITS_MAX, type Wanted } from './fields.ts'
import type { FindPart } from './parts.ts'

type Type = Product['type']
type Given = Readonly<Record<string, unknown>>

const itemFlags = ['is_producible', 'is_purchasable', 'batch_tracked'] as const
/** A kit has null in these fields, in the product's body and in the bodies of its variants. */
const withoutStock = [
  'shelf_life_days',
  'minimum_stock',
  'purchase_price',
  'lead_time_days',
  'minimum_order_quantity',
  'order_multiple',
] as const

/**
 * Refuses `validation_failed` for fields that the product's type does not allow: components of a product that is no kit; stock flags and
 * stock values of a kit.
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

/** A variant of a kit after the change. */
export type PlannedKit = {
  /** Null: the variant is new. */
  readonly id: string | null
  readonly sku: string | null
  readonly title: string
  /** The prefix of the variant's fields in messages (`variants[0].`), or '' for the body itself. */
  readonly at: string
  readonly components: readonly Wanted[]
  /** The components before the change. The same list as `components` if they do not change. */
  readonly before: readonly Component[]
}

/**
 * Refuses `validation_failed` and names the kit and the component: for a kit without components, and for a component that is absent,
 * archived, a kit, named twice, or in ${KITS_MAX} kits already.
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

/** The components as documents show them. Returns the same list if they do not change. */
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

/** The components after a body. Returns the same list if they do not change. */
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
