/** How bodies may name variants: by id, or by sku. */
import { code } from '../../kit/api/fields.ts'
import type { Need } from '../../kit/documents/needs.ts'
import type { Naming } from '../../kit/fields/field.ts'
import { reference } from '../../kit/fields/kinds.ts'
import { skuHolders } from './active-variants.ts'
import { Variant } from './variant.ts'

const bySku: Naming = {
  as: 'sku',
  leaf: code(),
  words: 'instead of `item_variant_id`: the sku of an unarchived variant',
  unknown: 'is the sku of no unarchived variant',
  find: (skus): Need<(sku: string) => string | null> => {
    const holders = skuHolders(skus)
    return { ask: holders.ask, see: work => sku => holders.see(work)(sku)?.id ?? null }
  },
}

/** The variant of a line or a body: its id, or `sku` instead (docs/rules/requests.md, "Variants by sku"). */
export const variant = () => reference(Variant).namedBy(bySku)
