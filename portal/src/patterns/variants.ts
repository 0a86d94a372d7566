/** Variants for a typed or scanned text. The one that fits best comes first. */
import type { ExactApi } from '../exact.ts'
import type { Product } from '../records.ts'

type Variant = Product['variants'][number]
type Titled = Pick<Product, 'title'>
/** A text, and the ids of the variants that it means as a scanned code. */
type Typed = { readonly text: string; readonly scanned?: readonly string[] }

/** How well a variant fits a text; a lower number is better. */
export const NEAR = { sku: 0, barcode: 1, skuInOtherCase: 2, title: 3, words: 4, none: 5 } as const

const folded = (text: string): string => text.normalize('NFC').toLowerCase()

/** How well the text fits the variant: as its whole code, as its title, or with words in its own or its product's texts. */
export function distance(product: Titled, variant: Variant, { text, scanned = [] }: Typed): number {
  const { id, title, sku, barcodes } = variant
  if (sku === text || scanned.includes(id)) return NEAR.sku
  if (barcodes.includes(text)) return NEAR.barcode
  const wanted = folded(text)
  if (sku !== null && folded(sku) === wanted) return NEAR.skuInOtherCase
  const titles = [title, product.title, `${product.title} ${title}`].map(folded)
  if (titles.includes(wanted)) return NEAR.title
  const all = [...titles, folded(sku ?? ''), ...barcodes].join(' ')
  return wanted.split(/\s+/).every(word => all.includes(word)) ? NEAR.words : NEAR.none
}

/** The variants of a found product that fit the text; all of them if each word fits another variant. */
export function variantsMeant(product: Titled & Pick<Product, 'variants'>, typed: Typed): readonly Variant[] {
  const variants = product.variants.filter(({ archived }) => !archived)
  const meant = variants.filter(variant => distance(product, variant, typed) < NEAR.none)
  return meant.length > 0 ? meant : variants
}

type Asked = { readonly limit: number; readonly archived?: boolean }

/**
 * Products with all words of the text in titles, skus or barcodes, and products with the text as a whole sku or barcode: among many
 * products the first page may lack those.
 */
export async function productsWith(
  api: ExactApi,
  text: string,
  query: Asked,
  options: { readonly signal: AbortSignal },
): Promise<readonly Product[]> {
  const found = await api.products.list({ ...query, q: text || undefined }, options)
  const isThere = found.data.some(({ variants }) => variants.some(({ sku }) => sku === text))
  if (text === '' || found.next_cursor === '' || isThere) return found.data
  // Most skus are in capitals, but people type small letters.
  const skus = [...new Set([text, text.toUpperCase()])]
  const coded = await Promise.all([
    ...skus.map(sku => api.products.list({ ...query, sku }, options)),
    api.products.list({ ...query, barcode: text }, options),
  ])
  const all = [...coded.flatMap(({ data }) => data), ...found.data]
  return all.filter(({ id }, index) => all.findIndex(other => other.id === id) === index)
}
