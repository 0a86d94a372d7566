/** A variant with its product, as a screen shows it. */
import type { Product } from '../../records.ts'

export type ShownVariant = {
  readonly product: Product
  readonly variant: Product['variants'][number]
}
