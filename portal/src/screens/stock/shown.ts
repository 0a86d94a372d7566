/** A variant with its product, as a screen shows it. */
import type { Product } from '@millrace/client'
import type { Exact } from '../../exact.ts'

export type ShownVariant = {
  readonly product: Exact<Product>
  readonly variant: Exact<Product>['variants'][number]
}
