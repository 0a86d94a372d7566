/** What is read of orders and refunds of Shopify's Admin REST interface and its webhooks. Money is in the shop's currency. */
import type { Decimal } from './decimal.ts'

type Id = string | number
type Text = string | null | undefined

export type ShopifyTaxLine = { readonly title?: Text; readonly rate?: Decimal | null; readonly price: Decimal }

export type ShopifyMoneySet = { readonly shop_money?: { readonly amount: Decimal } | null } | null

type Allocation = { readonly amount: Decimal }

export type ShopifyLineItem = {
  readonly id: Id
  readonly variant_id?: Id | null
  readonly sku?: Text
  readonly title?: Text
  readonly name?: Text
  readonly quantity: number
  readonly price: Decimal
  readonly gift_card?: boolean
  readonly total_discount?: Decimal | null
  readonly discount_allocations?: readonly Allocation[] | null
  readonly tax_lines?: readonly ShopifyTaxLine[] | null
  readonly duties?:
    | readonly {
        readonly id: Id
        readonly shop_money?: { readonly amount: Decimal } | null
        readonly tax_lines?: readonly ShopifyTaxLine[] | null
      }[]
    | null
  readonly tip_payment_gateway?: Text
  readonly tip_payment_method?: Text
}

export type ShopifyShippingLine = {
  readonly id: Id
  readonly title?: Text
  readonly price: Decimal
  readonly discount_allocations?: readonly Allocation[] | null
  readonly tax_lines?: readonly ShopifyTaxLine[] | null
  readonly is_removed?: boolean
}

export type ShopifyAddress = {
  readonly first_name?: Text
  readonly last_name?: Text
  readonly company?: Text
  readonly address1?: Text
  readonly address2?: Text
  readonly city?: Text
  readonly province?: Text
  readonly zip?: Text
  readonly country_code?: Text
  readonly phone?: Text
}

export type ShopifyOrder = {
  readonly id: Id
  readonly name?: Text
  readonly created_at?: Text
  readonly currency: string
  readonly taxes_included: boolean
  readonly note?: Text
  readonly email?: Text
  readonly phone?: Text
  readonly customer?: {
    readonly id: Id
    readonly first_name?: Text
    readonly last_name?: Text
    readonly email?: Text
    readonly phone?: Text
  } | null
  readonly billing_address?: ShopifyAddress | null
  readonly shipping_address?: ShopifyAddress | null
  readonly line_items: readonly ShopifyLineItem[]
  readonly shipping_lines?: readonly ShopifyShippingLine[] | null
  readonly total_tip_received?: Decimal | null
  readonly original_total_additional_fees_set?: ShopifyMoneySet
  readonly total_price: Decimal
}

export type ShopifyRefund = {
  readonly id: Id
  readonly note?: Text
  readonly refund_line_items?:
    | readonly {
        readonly line_item_id: Id
        readonly quantity: number
        readonly restock_type?: Text
        readonly subtotal: Decimal
        readonly subtotal_set?: ShopifyMoneySet
        readonly total_tax?: Decimal | null
        readonly total_tax_set?: ShopifyMoneySet
      }[]
    | null
  readonly refund_shipping_lines?:
    | readonly { readonly shipping_line_id: Id; readonly subtotal_amount_set: ShopifyMoneySet }[]
    | null
  readonly order_adjustments?:
    | readonly { readonly kind?: Text; readonly amount: Decimal; readonly tax_amount?: Decimal | null }[]
    | null
  readonly duties?: readonly { readonly duty_id: Id; readonly amount_set?: ShopifyMoneySet }[] | null
  readonly transactions?:
    | readonly { readonly kind?: Text; readonly status?: Text; readonly amount: Decimal; readonly currency?: Text }[]
    | null
}
