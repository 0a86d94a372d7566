/** A line of a sales order, a purchase order or a hold in a form, new or existing, and how it is sent. */
import { type Decimal, sentTyped, sentUnlessEmpty } from '../exact.ts'
import { addedLine, type EditedLine, lineChanges, orNull, unlessAdded, variantRule } from './changes.tsx'
import { type Choice, decimalRules } from './inputs.tsx'
import { placeId, placeValue } from './places.tsx'
import type { CountedIn, PurchaseUnit } from './purchase-units.tsx'
import { areWhole, sentTaxes, type TypedTax, taxRules } from './taxes.tsx'

/** A line of a hold has only a variant and a quantity. */
export type OrderKind = 'HOLD' | 'SALE' | 'PURCHASE'

export type OrderLine = EditedLine & {
  /** The title of a sold line without a variant; null for all others. */
  readonly title: string | null
  readonly quantity: string
  readonly price: string
  readonly discount_percent: string
  /** A discount on the whole line of a sale. */
  readonly discount_amount: string
  /** Null: not typed, so the usual rate applies. */
  readonly tax_rate: string | null
  /** For a sale. Replaces the rate if there are any. */
  readonly taxes: TypedTax[]
  /** In the form of `placeValue`; empty: the usual place. */
  readonly storage_place_id: string
  readonly expected_date: string
  readonly batch_number: string
  readonly expiry_date: string
  /** The shipped or received quantity. */
  readonly done: Decimal
  /** The unit of an existing bought line; null: the product's own unit. */
  readonly unit: string | null
  /** The goods that a hold keeps for the line. */
  readonly held: Held | null
  /** For a new line of a purchase order. Null until its quantity is typed: then the supplier's unit, if there is one. */
  readonly counted: CountedIn | null
}

type Held = { readonly variantId: string; readonly quantity: Decimal; readonly placeId: string | null }

const EMPTY: OrderLine = {
  ...{ key: '', id: null, variant: null, title: null, remove: false, quantity: '', price: '' },
  ...{ discount_percent: '', discount_amount: '', tax_rate: null, taxes: [] },
  ...{ storage_place_id: '', expected_date: '', batch_number: '', expiry_date: '', done: '0', unit: null },
  ...{ held: null, counted: null },
}

export const orderLine = (
  variant: Choice | null = null,
  quantity = '1',
  { held = null, ...more }: Partial<Pick<OrderLine, 'held' | 'counted' | 'expected_date' | 'title'>> = {},
): OrderLine => ({
  ...EMPTY,
  ...addedLine(),
  ...{ variant, quantity, held, storage_place_id: held === null ? '' : placeValue(held.placeId) },
  ...more,
})

/** The held goods of the line; null once another product is chosen. */
export const heldOf = ({ held, variant }: OrderLine): Held | null =>
  held !== null && held.variantId === variant?.id ? held : null

/** The rate of a line without a typed one: that of the previous line, else `first`. */
export const usualTax = (items: readonly OrderLine[], index: number, first: string): string =>
  items.slice(0, index).findLast(({ tax_rate, remove }) => !remove && tax_rate !== null)?.tax_rate ?? first

const numberRule = (input: string | null) =>
  input === null || decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input)

const lineOf = ({ items }: { readonly items: readonly OrderLine[] }, path: string) => items[Number(path.split('.')[1])]

export const orderLineRules = {
  variant: (variant: Choice | null, values: { readonly items: readonly OrderLine[] }, path: string) =>
    lineOf(values, path)?.title == null ? variantRule(variant) : null,
  title: (title: string | null) => (title === null || title.trim() !== '' ? null : 'what it is for'),
  quantity: decimalRules.positive,
  price: unlessAdded(decimalRules.zeroOrMore),
  discount_percent: numberRule,
  discount_amount: numberRule,
  tax_rate: numberRule,
  taxes: taxRules,
}

export const isWhole = ({ variant, title, quantity, taxes, ...line }: OrderLine): boolean =>
  (title ?? variant?.label ?? '').trim() !== '' &&
  decimalRules.positive(quantity) === null &&
  [line.price, line.discount_percent, line.discount_amount, line.tax_rate].every(input => numberRule(input) === null) &&
  areWhole(taxes)

const writers = {
  title: (title: string | null) => title?.trim(),
  quantity: sentTyped,
  price: sentUnlessEmpty,
  /** An empty field means 0. */
  discount_percent: (input: string) => sentUnlessEmpty(input) ?? 0,
  discount_amount: (input: string) => sentUnlessEmpty(input) ?? 0,
  tax_rate: (input: string | null) => sentUnlessEmpty(input ?? '') ?? 0,
  taxes: sentTaxes,
  storage_place_id: (input: string) => (input === '' ? undefined : placeId(input)),
  expected_date: orNull,
  batch_number: orNull,
  expiry_date: orNull,
}

/** The lines as they are sent: with the shown tax rate, and the place of held goods. */
const shown = (items: readonly OrderLine[], first: string): readonly OrderLine[] =>
  items.map((line, index) => {
    const tax_rate = line.tax_rate ?? (usualTax(items, index, first) || null)
    const isElsewhere = line.held !== null && heldOf(line) === null
    return { ...line, tax_rate, storage_place_id: isElsewhere ? '' : line.storage_place_id }
  })

type Lined = { readonly items: readonly OrderLine[]; readonly first_tax: string }

const priced = ['quantity', 'price', 'discount_percent', 'discount_amount'] as const

/** `items` of a POST or a PATCH, and the form's path of a field of a sent entry. */
export function orderLineChanges(before: Lined | null, now: Lined) {
  const changes = lineChanges(
    { before: before?.items ?? [], now: shown(now.items, now.first_tax), blank: EMPTY },
    writers,
  )
  /**
   * A line has several taxes or a rate. If its amount changes, its taxes are sent again: the service may have stored tax amounts of a shop.
   */
  const taxed = changes.items?.map((entry, at) => {
    const line = changes.lines[at]
    const { taxes, tax_rate, ...others } = entry
    if (line === undefined || line.remove) return others
    if (line.taxes.length > 0)
      return taxes === undefined && !priced.some(name => entry[name] !== undefined)
        ? others
        : { ...others, taxes: writers.taxes(line.taxes) }
    return taxes === undefined
      ? { ...others, ...(tax_rate === undefined ? {} : { tax_rate }) }
      : { ...others, tax_rate: writers.tax_rate(line.tax_rate) }
  })
  return { ...changes, items: taxed }
}

type Item = {
  readonly id: string
  readonly title: string
  readonly sku: string | null
  readonly item_id: string | null
  readonly item_variant_id: string | null
  readonly discount_percent: Decimal
  readonly tax_rate: Decimal
}

/** The fields of an existing line that sales and purchases share. */
export const orderLineOf = (
  { id, title, sku, item_variant_id, discount_percent, tax_rate }: Item,
  typing: (value: Decimal) => string,
): OrderLine => ({
  ...EMPTY,
  ...{ key: id, id, variant: { id, label: title, hint: sku }, title: item_variant_id === null ? title : null },
  ...{ discount_percent: typing(discount_percent), tax_rate: typing(tax_rate) },
})

/** What the planner, the offers and the form know of a bought line. */
export type Bought = {
  readonly unit: PurchaseUnit | null
  /** The unit of the typed quantity; null: stock units. */
  readonly typedIn: PurchaseUnit | null
  /** The supplier's usual price as text. */
  readonly usually: string | null
}
