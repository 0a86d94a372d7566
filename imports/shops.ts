/** The formats of files: a shop's export of its products becomes rows with the columns of products. Pure. */
import type { Fault } from './columns.ts'
import type { ShopReader } from './shop-reader.ts'
import { shopifyReader } from './shopify.ts'
import { wooReader } from './woocommerce.ts'

export const shopFormats = ['shopify', 'woocommerce'] as const
export type ShopFormat = (typeof shopFormats)[number]

const readers = { shopify: shopifyReader, woocommerce: wooReader }

/** The reader of an export with this header; a fault where the header is none of the shop's in English. */
export function shopReader(format: ShopFormat, header: readonly string[]): ShopReader | Fault {
  const columns = new Map(header.map((cell, at) => [cell.trim().toLowerCase(), at]))
  return readers[format](columns, ({ cells }, ...names) => {
    const at = names.map(name => columns.get(name)).find(at => at !== undefined)
    return at === undefined ? '' : (cells[at] ?? '').trim()
  })
}

/** The shop whose export has such a header; null where none has. */
export function recognisedShop(header: readonly string[]): ShopFormat | null {
  const names = new Set(header.map(cell => cell.trim().toLowerCase()))
  const isShopify =
    names.has('url handle') || (names.has('handle') && (names.has('variant sku') || names.has('option1 value')))
  if (isShopify) return 'shopify'
  return names.has('type') && names.has('name') && names.has('regular price') ? 'woocommerce' : null
}
