/** What the functions of this folder answer, and what they read of Millrace's own records. */

/** A tax as the shop computed it. `rate` in percent. */
export type Tax = { title: string; rate: number; amount: number }

/** A line has one of `item_variant_id`, `sku` and `title`; one with a title holds no stock. */
export type OrderLine = {
  item_variant_id?: string
  sku?: string
  title?: string
  quantity: number
  price: number
  discount_amount?: number
  taxes?: Tax[]
  external_ref: string
}

/** `amount_with_tax` in orders whose prices include tax, else `amount`. */
export type Charge = {
  title: string
  amount?: number
  amount_with_tax?: number
  taxes?: Tax[]
  external_ref?: string
}

export type Address = {
  name?: string
  company?: string
  line_1?: string
  line_2?: string
  city?: string
  region?: string
  zip?: string
  country_code?: string
  phone?: string
}

export type Customer = {
  title: string
  email?: string
  phone?: string
  country_code?: string
  external_ref?: string
}

/** The body of `POST /sales-orders`. */
export type OrderBody = {
  external_ref: string
  customer: Customer
  currency: string
  prices_include_tax: boolean
  ordered_at?: string
  notes?: string
  metadata: Record<string, string>
  shipping_address: Address | null
  billing_address: Address | null
  items: OrderLine[]
  charges: Charge[]
  expected_total_amount_with_tax: number
}

/** `quantity: 0` with an `amount`: money without goods. */
export type ReturnLine = {
  sales_order_item_id: string
  quantity: number
  unit_price?: number
  amount?: number
  restock?: boolean
}

/** The body of `POST /sales-returns`. */
export type ReturnBody = {
  sales_order_id: string
  external_ref: string
  notes?: string
  items: ReturnLine[]
  charges: { sales_order_charge_id: string; amount: number }[]
}

/** What a refund reads of `GET /sales-orders/{id}`. */
export type PlacedOrder = {
  readonly id: string
  readonly currency: string
  readonly prices_include_tax: boolean
  readonly items: readonly PlacedLine[]
  readonly charges: readonly PlacedCharge[]
}

export type PlacedLine = {
  readonly id: string
  readonly external_ref: string | null
  readonly quantity: number
  readonly price: number
  readonly discount_percent: number
  readonly discount_amount: number
  readonly shipped_quantity: number
  readonly line_amount: number
  readonly line_tax_amount: number
}

export type PlacedCharge = {
  readonly id: string
  readonly external_ref: string | null
  readonly amount: number
  readonly tax_amount: number
}

/** What a refund reads of the order's returns before it, as `GET /sales-returns?sales_order_id=` shows them. */
export type PlacedReturn = {
  readonly sales_return: { readonly status: string }
  readonly items: readonly {
    readonly sales_order_item_id: string
    readonly quantity: number
    readonly refund_amount: number
    readonly refund_tax_amount: number
  }[]
  readonly charges: readonly {
    readonly sales_order_charge_id: string
    readonly amount: number
    readonly tax_amount: number
  }[]
}

/** `prefix` stands before every `external_ref` that is unique per tenant: give one to each of several shops. */
export type RefOptions = { readonly prefix?: string | undefined }

export type RefundOptions = RefOptions & {
  /** The order's returns so far. They decide which cents are left. */
  readonly returns?: readonly PlacedReturn[] | undefined
  /** Takes the tax that Millrace counts where the shop's differs, instead of throwing. */
  readonly allowTaxDifference?: boolean | undefined
}
