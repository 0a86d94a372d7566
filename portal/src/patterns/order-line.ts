/** A line of a sales order, a purchase order or a hold as a form has it, new or already there, and how it is sent. */
import { type Decimal, sentTyped, sentUnlessEmpty } from '../exact.ts'
import { addedLine, type EditedLine, lineChanges, orNull, unlessAdded, variantRule } from './changes.tsx'
import { type Choice, decimalRules } from './inputs.tsx'
import { placeId, placeValue } from './places.tsx'
import type { CountedIn, PurchaseUnit } from './purchase-units.tsx'

export type OrderLine = EditedLine & {
  readonly quantity: string
  readonly price: string
  readonly discount_percent: string
  /** Null until it is typed: the usual one. */
  readonly tax_rate: string | null
  /** As `placeValue` has it; empty: the usual one. */
  readonly storage_place_id: string
  readonly expected_date: string
  readonly batch_number: string
  readonly expiry_date: string
  /** What is shipped or received of it. */
  readonly done: Decimal
  /** Of a line that is there: the unit in which it is bought; null: the product's own. */
  readonly unit: string | null
  /** What a hold keeps for it. */
  readonly held: Held | null
  /** Of a purchase order's new line; null until its quantity is typed: the supplier's unit, where there is one. */
  readonly counted: CountedIn | null
}

export type Held = { readonly variantId: string; readonly quantity: Decimal; readonly placeId: string | null }

const EMPTY: OrderLine = {
  ...{ key: '', id: null, variant: null, remove: false, quantity: '', price: '', discount_percent: '', tax_rate: null },
  ...{ storage_place_id: '', expected_date: '', batch_number: '', expiry_date: '', done: '0', unit: null },
  ...{ held: null, counted: null },
}

export const orderLine = (
  variant: Choice | null = null,
  quantity = '1',
  { held = null, ...more }: Partial<Pick<OrderLine, 'held' | 'counted' | 'expected_date'>> = {},
): OrderLine => ({
  ...EMPTY,
  ...addedLine(),
  ...{ variant, quantity, held, storage_place_id: held === null ? '' : placeValue(held.placeId) },
  ...more,
})

/** What is held for the line; null once another product is chosen. */
export const heldOf = ({ held, variant }: OrderLine): Held | null =>
  held !== null && held.variantId === variant?.id ? held : null

/** The tax of a line that is not typed: that of the line before, else this one. */
export const usualTax = (items: readonly OrderLine[], index: number, first: string): string =>
  items.slice(0, index).findLast(({ tax_rate, remove }) => !remove && tax_rate !== null)?.tax_rate ?? first

const percentRule = (input: string | null) =>
  input === null || decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input)

export const orderLineRules = {
  variant: variantRule,
  quantity: decimalRules.positive,
  price: unlessAdded(decimalRules.zeroOrMore),
  discount_percent: percentRule,
  tax_rate: percentRule,
}

const writers = {
  quantity: sentTyped,
  price: sentUnlessEmpty,
  /** Emptied is none. */
  discount_percent: (input: string) => sentUnlessEmpty(input) ?? 0,
  tax_rate: (input: string | null) => sentUnlessEmpty(input ?? '') ?? 0,
  storage_place_id: (input: string) => (input === '' ? undefined : placeId(input)),
  expected_date: orNull,
  batch_number: orNull,
  expiry_date: orNull,
}

/** As it is sent: with the tax that it shows, and where what is held lies. */
const shown = (items: readonly OrderLine[], first: string): readonly OrderLine[] =>
  items.map((line, index) => {
    const tax_rate = line.tax_rate ?? (usualTax(items, index, first) || null)
    const isElsewhere = line.held !== null && heldOf(line) === null
    return { ...line, tax_rate, storage_place_id: isElsewhere ? '' : line.storage_place_id }
  })

type Lined = { readonly items: readonly OrderLine[]; readonly first_tax: string }

/** `items` of a POST or a PATCH, and where a field of a sent entry stands in the form. */
export const orderLineChanges = (before: Lined | null, now: Lined) =>
  lineChanges({ before: before?.items ?? [], now: shown(now.items, now.first_tax), blank: EMPTY }, writers)

type Item = {
  readonly id: string
  readonly title: string
  readonly sku: string | null
  readonly item_id: string | null
  readonly discount_percent: Decimal
  readonly tax_rate: Decimal
}

/** Of a line that is there: what sales and purchases have in common. */
export const orderLineOf = (
  { id, title, sku, discount_percent, tax_rate }: Item,
  typing: (value: Decimal) => string,
): OrderLine => ({
  ...EMPTY,
  ...{ key: id, id, variant: { id, label: title, hint: sku } },
  ...{ discount_percent: typing(discount_percent), tax_rate: typing(tax_rate) },
})

/** What the planner, the offers and the form tell of a line that is bought. */
export type Bought = {
  readonly unit: PurchaseUnit | null
  /** In which it is typed; null: in stock units. */
  readonly typedIn: PurchaseUnit | null
  /** What the supplier usually takes for one, in words. */
  readonly usually: string | null
}
