/** A returned kit: the components that come back with it, less missing parts. */
import { type Decimal, isPositive, isZero, minus, sentTyped, share, sum, typed } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { quantityRule } from '../../patterns/quantity-fields.tsx'
import type { SalesOrder, SalesReturn, SalesShipment } from '../../records.ts'

export type ReturnedKit = {
  readonly shipped: Decimal
  /** In other returns. */
  readonly held: Decimal
  /** Whether parts are missing. */
  readonly isShort: boolean
  readonly parts: readonly Part[]
}

/** `left` is what left with the shipment. `back` is typed; empty means all of it. */
type Part = { readonly item_variant_id: string; readonly title: string; readonly left: Decimal; readonly back: string }

type OrderLine = SalesOrder['items'][number]
type Past = {
  readonly left: readonly SalesShipment['items'][number][]
  readonly held: readonly SalesReturn['items'][number][]
}

/** Undefined for a line that is no kit. */
export function returnedKit(item: OrderLine, { left, held }: Past): ReturnedKit | undefined {
  if (item.components.length === 0) return undefined
  const gone = left.flatMap(({ components }) => components)
  return {
    shipped: item.shipped_quantity,
    held: sum(held.map(({ quantity }) => quantity)),
    isShort: false,
    parts: item.components.map(({ item_variant_id, title }) => ({
      ...{ item_variant_id, title, back: '' },
      left: sum(gone.filter(part => part.item_variant_id === item_variant_id).map(({ quantity }) => quantity)),
    })),
  }
}

/** The quantity of a component that comes back with these kits (docs/rules/kits.md, "Shipments and returns"). */
export function comesBack({ shipped, held }: ReturnedKit, { left }: Part, kits: Decimal): Decimal {
  if (isZero(shipped)) return '0'
  const until = (part: Decimal) => share(left, { part, whole: shipped })
  return minus(until(sum([held, kits])), until(held))
}

type Line = { readonly kit?: ReturnedKit | undefined; readonly quantity: string }

/** At most the component's share. An empty field means all of it. */
export function backRule(input: string, { items }: { readonly items: readonly Line[] }, path: string): string | null {
  const [, line, , , at] = path.split('.')
  const { kit, quantity = '' } = items[Number(line)] ?? {}
  const part = kit?.parts[Number(at)]
  const value = typed(input)
  if (!kit?.isShort || part === undefined || value === null) return kit?.isShort ? quantityRule(input) : null
  const most = comesBack(kit, part, typed(quantity) ?? '0')
  return isPositive(minus(value, most)) ? `at most ${quantityText(most)}` : null
}

const short = (kit: ReturnedKit | undefined) =>
  kit?.isShort ? kit.parts.flatMap((part, at) => (part.back.trim() === '' ? [] : [{ ...part, at }])) : []

/** `components` of a return's line. Undefined: all of them came back. */
export function sentParts(kit: ReturnedKit | undefined) {
  const parts = short(kit)
  return parts.length === 0
    ? {}
    : { components: parts.map(({ item_variant_id, back }) => ({ item_variant_id, quantity: sentTyped(back) })) }
}

/** The form's path of a field of a sent component, beginning at its line. */
export const fieldOfPart = (field: string, kit: ReturnedKit | undefined): string =>
  field.replace(/components\.(\d+)\.\w+$/, (whole, index: string) => {
    const at = short(kit)[Number(index)]?.at
    return at === undefined ? whole : `kit.parts.${at}.back`
  })
