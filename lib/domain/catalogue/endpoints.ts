/** The endpoints of products. */

import { readsOf } from '../../kit/documents/noun.ts'
import { resource } from '../../kit/documents/resources.ts'
import { changeProduct, createProduct, productByRef } from './commands.ts'
import { examples } from './examples.ts'
import { Product } from './noun.ts'

export const [listProducts, getProduct] = readsOf(Product)

export const products = resource([Product], [listProducts, getProduct, createProduct, changeProduct, ...productByRef], {
  examples,
})
