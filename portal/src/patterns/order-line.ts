/** A line of a sales order, a purchase order or a hold as a form has it, new or already there, and how it is sent. */
import { type Decimal, sentTyped, sentUnlessEmpty } from '../exact.ts'
import { addedLine, type EditedLine, lineChanges, orNull, unlessAdded, variantRule } from './changes.tsx'
import { type Choice, decimalRules } from './inputs.tsx'
import { placeId, placeValue } from './places.tsx'
import type { CountedIn, PurchaseUnit } from './purchase-units.tsx'
import { areWhole, sentTaxes, type TypedTax, taxRules } from './taxes.tsx'

/** Of a hold: what and how many. */
export type OrderKind = 'HOLD' | 'SALE' | 'PURCHASE'

export type OrderLine = EditedLine & {
  /** Of a sold line without a variant: what it is for. Null of all others. */
  readonly title: string | null
  readonly quantity: string
  readonly price: string
  readonly discount_percent: string
  /** What is taken off the whole line of a sale. */
  readonly discount_amount: string
  /** Null until it is typed: the usual one. */
  readonly tax_rate: string | null
  /** Of a sale; instead of the rate where there are any. */
  readonly taxes: TypedTax[]
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

/** What is held for the line; null once another product is chosen. */
export const heldOf = ({ held, variant }: OrderLine): Held | null =>
  held !== null && held.variantId === variant?.id ? held : null

/** The tax of a line that is not typed: that of the line before, else this one. */
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
  /** Emptied is none. */
  discount_percent: (input: string) => sentUnlessEmpty(input) ?? 0,
  discount_amount: (input: string) => sentUnlessEmpty(input) ?? 0,
  tax_rate: (input: string | null) => sentUnlessEmpty(input ?? '') ?? 0,
  taxes: sentTaxes,
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

const priced = ['quantity', 'price', 'discount_percent', 'discount_amount'] as const

/** `items` of a POST or a PATCH, and where a field of a sent entry stands in the form. */
export function orderLineChanges(before: Lined | null, now: Lined) {
  const changes = lineChanges(
    { before: before?.items ?? [], now: shown(now.items, now.first_tax), blank: EMPTY },
    writers,
  )
  /** A line has several taxes or a rate. Its taxes are given anew with what it costs: the service may keep amounts that a shop gave. */
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

/** Of a line that is there: what sales and purchases have in common. */
export const orderLineOf = (
  { id, title, sku, item_variant_id, discount_percent, tax_rate }: Item,
  typing: (value: Decimal) => string,
): OrderLine => ({
  ...EMPTY,
  ...{ key: id, id, variant: { id, label: title, hint: sku }, title: item_variant_id === null ? title : null },
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
