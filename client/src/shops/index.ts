/** `@millrace/client/shops`: orders and refunds of shops as bodies of this interface (docs/guides/shops.md). Pure, without dependencies. */
export type {
  Charge,
  OrderBody,
  OrderLine,
  PlacedCharge,
  PlacedLine,
  PlacedOrder,
  PlacedReturn,
  RefOptions,
  RefundOptions,
  ReturnBody,
  ReturnLine,
  Tax,
} from './bodies.ts'
export { type Decimal, ShopFieldError } from './decimal.ts'
export type * from './shopify.ts'
export { type ShopifyOptions, shopifyOrder } from './shopify-order.ts'
export { shopifyRefund } from './shopify-refund.ts'
export type * from './woo.ts'
export { type WooOptions, wooOrder } from './woo-order.ts'
export { type WooRefundOptions, wooRefund } from './woo-refund.ts'
