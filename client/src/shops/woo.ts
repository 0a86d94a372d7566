/** What is read of orders and refunds of WooCommerce's REST interface (v3) and its webhooks. */
import type { Decimal } from './decimal.ts'

type Id = string | number
type Text = string | null | undefined

/** `total` is after discounts. Both may have more decimals than the currency. */
export type WooTax = { readonly id: Id; readonly total: Decimal; readonly subtotal?: Decimal | null }

type Meta = readonly { readonly key: string; readonly value?: unknown }[] | null

/** `subtotal` and `total` are without tax, before and after discounts, also where `prices_include_tax`. */
export type WooLineItem = {
  readonly id: Id
  readonly name?: Text
  readonly product_id?: Id | null
  readonly sku?: Text
  readonly quantity: number
  readonly subtotal: Decimal
  readonly subtotal_tax?: Decimal | null
  readonly total: Decimal
  readonly total_tax?: Decimal | null
  readonly taxes?: readonly WooTax[] | null
  readonly meta_data?: Meta
}

/** Shipping or a fee. */
export type WooCharge = {
  readonly id: Id
  readonly method_title?: Text
  readonly name?: Text
  readonly total: Decimal
  readonly total_tax?: Decimal | null
  readonly taxes?: readonly WooTax[] | null
  readonly meta_data?: Meta
}

export type WooAddress = {
  readonly first_name?: Text
  readonly last_name?: Text
  readonly company?: Text
  readonly address_1?: Text
  readonly address_2?: Text
  readonly city?: Text
  readonly state?: Text
  readonly postcode?: Text
  readonly country?: Text
  readonly email?: Text
  readonly phone?: Text
}

export type WooTaxLine = {
  readonly rate_id: Id
  readonly label?: Text
  readonly rate_percent?: Decimal | null
  readonly tax_total: Decimal
  readonly shipping_tax_total?: Decimal | null
}

export type WooOrder = {
  readonly id: Id
  readonly number?: Text
  readonly date_created_gmt?: Text
  readonly currency: string
  readonly prices_include_tax: boolean
  readonly customer_note?: Text
  readonly customer_id?: Id | null
  readonly billing?: WooAddress | null
  readonly shipping?: WooAddress | null
  readonly line_items: readonly WooLineItem[]
  readonly shipping_lines?: readonly WooCharge[] | null
  readonly fee_lines?: readonly WooCharge[] | null
  readonly tax_lines?: readonly WooTaxLine[] | null
  readonly total: Decimal
}

/** Quantities and amounts of its lines are below 0. `amount`, all that was paid back, is above. */
export type WooRefund = {
  readonly id: Id
  readonly reason?: Text
  readonly amount: Decimal
  readonly line_items?: readonly WooLineItem[] | null
  readonly shipping_lines?: readonly WooCharge[] | null
  readonly fee_lines?: readonly WooCharge[] | null
}
