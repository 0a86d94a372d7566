/** Orders and refunds of two invented shops, as the APIs of these shops answer them. */
import { readFileSync } from 'node:fs'
import type { ShopifyOrder, ShopifyRefund, WooOrder, WooRefund } from '../../../client/src/shops/index.ts'

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'))

type Refunds<Refund> = Readonly<Record<'inclusive' | 'exclusive', Readonly<Record<string, Refund>>>>

export const shopify = {
  inclusive: read('shopify-inclusive') as ShopifyOrder,
  exclusive: read('shopify-exclusive') as ShopifyOrder,
  refunds: read('shopify-refunds') as Refunds<ShopifyRefund>,
}

export const woo = {
  inclusive: read('woo-inclusive') as WooOrder,
  exclusive: read('woo-exclusive') as WooOrder,
  refunds: read('woo-refunds') as Refunds<WooRefund>,
}

export function refundOf<Refund>(refunds: Refunds<Refund>, mode: 'inclusive' | 'exclusive', name: string): Refund {
  const found = refunds[mode][name]
  if (found === undefined) throw new Error(`no refund ${name}`)
  return found
}
