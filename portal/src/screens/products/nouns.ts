/** Products and their variants: how they are read, listed, linked and found, and their events. */
import { filter } from '../../filters.ts'
import { FOUND_MAX, type Known, noun, type Result } from '../../noun.ts'
import { joinedTexts, variantTitle } from '../../patterns/titles.ts'
import { productsWith } from '../../patterns/variants.ts'
import type { Product } from '../../records.ts'

export const products = noun({
  ...{ kind: 'PRODUCT', one: 'Product', many: 'Products' },
  ...{ list: '/products', path: '/stock', scope: 'read:catalog' },
  of: api => api.products,
  filters: {
    q: filter.text('Name, SKU or barcode'),
    type: filter.code('Kind', ['PRODUCT', 'MATERIAL', 'SERVICE', 'KIT']),
    archived: filter.use(),
  },
  find: {
    search: async (api, q, options) =>
      (await productsWith(api, q, { limit: FOUND_MAX }, options))
        .flatMap(product => variantResults(product, q))
        .toSorted((one, other) => Number(other.isExact) - Number(one.isExact)),
  },
})

/** A variant's id in links is that of its product and its own: `7/12`. */
export const variants: Known = { kind: 'VARIANT', path: '/stock' }

/** The variants that the text names; all of them if it names the product. */
function variantResults({ id, title, variants: all }: Product, q: string): readonly Result[] {
  const text = q.toLowerCase()
  const named = all.filter(({ sku, barcodes }) => [sku, ...barcodes].some(code => code?.toLowerCase().includes(text)))
  return (named.length > 0 ? named : all).map(variant => ({
    id: variant.id,
    label: variantTitle({ item_title: title, title: variant.title }),
    hint: joinedTexts(variant.sku, variant.barcode),
    to: `/stock/${id}/${variant.id}`,
    isExact: [variant.sku, ...variant.barcodes].some(code => code?.toLowerCase() === text),
  }))
}
