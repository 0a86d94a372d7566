/** Variants as they are looked for by what a person types or scans: one whose sku or barcode it is comes first. */
import type { ExactApi } from '../exact.ts'
import type { Product } from '../records.ts'

type Coded = { readonly sku: string | null; readonly barcodes: readonly string[] }

/** How exactly the text is the variant's code; 0 is nearest, 3 is not at all. */
export function distance({ sku, barcodes }: Coded, text: string): 0 | 1 | 2 | 3 {
  if (sku === text) return 0
  if (barcodes.includes(text)) return 1
  return sku?.toLowerCase() === text.toLowerCase() ? 2 : 3
}

type Asked = { readonly limit: number; readonly archived?: boolean }

/**
 * Products that have all words of the text in titles, skus or barcodes, and those of which it is a sku or barcode as a whole: among many
 * products the first page may be without them.
 */
export async function productsWith(
  api: ExactApi,
  text: string,
  query: Asked,
  options: { readonly signal: AbortSignal },
): Promise<readonly Product[]> {
  const found = await api.products.list({ ...query, q: text || undefined }, options)
  const isThere = found.data.some(({ variants }) => variants.some(variant => distance(variant, text) === 0))
  if (text === '' || found.next_cursor === '' || isThere) return found.data
  // Most skus are in capitals, and people type small letters.
  const skus = [...new Set([text, text.toUpperCase()])]
  const coded = await Promise.all([
    ...skus.map(sku => api.products.list({ ...query, sku }, options)),
    api.products.list({ ...query, barcode: text }, options),
  ])
  const all = [...coded.flatMap(({ data }) => data), ...found.data]
  return all.filter(({ id }, index) => all.findIndex(other => other.id === id) === index)
}
