/** What a typed or scanned code means in a count: the variants with this code, else those with these words in their titles. */
import type { ExactApi } from '../../exact.ts'
import { batchIn, variantsIn } from '../../patterns/scans.ts'
import { variantTitle } from '../../patterns/titles.ts'
import { distance, NEAR, variantsMeant } from '../../patterns/variants.ts'
import type { Product } from '../../records.ts'

export type Counted = {
  readonly id: string
  /** The typed or scanned text. */
  readonly code: string
  readonly sku: string | null
  readonly title: string
  readonly unit: string
  readonly hasBatches: boolean
  /** Whether the text is the whole SKU or barcode. A part of a title, or of another barcode, may mean another variant. */
  readonly isExact: boolean
  /** The batch number in the code. */
  readonly batch: string
  /** The last day of a new batch, from the code. */
  readonly expiry: string
}

type Asking = { readonly api: ExactApi; readonly can: (scope: string) => boolean }

/** The variants with this code, else those with these words in their titles. */
export async function findCounted({ api, can }: Asking, code: string): Promise<readonly Counted[]> {
  const scan = can('read:stock') ? await api.scan({ code }) : null
  const scanned = variantsIn(scan)
  // A key that may not use scans searches the lists instead.
  const queries = [
    ...(scanned.length > 0 ? [{ item_variant_id: [...scanned] }] : []),
    ...(scan === null ? [{ sku: code }, { barcode: code }] : []),
    { q: code },
  ]
  for (const query of queries) {
    const { data } = await api.products.list({ ...query, archived: false, limit: 20 })
    const isExact = !('q' in query)
    const typed = { text: code, scanned }
    const isMeant = (product: Product) => (variant: Product['variants'][number]) =>
      !isExact || distance(product, variant, typed) <= NEAR.barcode
    const found = data
      .filter(({ type }) => type !== 'SERVICE')
      .flatMap(product =>
        variantsMeant(product, typed)
          .filter(isMeant(product))
          .map(({ id, title, sku }) => {
            const { unit_name: unit, batch_tracked: hasBatches } = product
            const named = scan !== null && isExact && hasBatches ? batchIn(scan, id) : { number: '', expiry: '' }
            return {
              ...{ id, code, sku, title: variantTitle({ item_title: product.title, title }) },
              ...{ unit, hasBatches, isExact, batch: named.number, expiry: named.expiry },
            }
          }),
      )
    if (found.length > 0) return found
  }
  throw new Error('No variant has this SKU, barcode or name')
}
