/** The endpoints of products. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { readsOf } from '../../kit/documents/noun.ts'
import { changeProduct, createProduct } from './commands.ts'
import { Product } from './noun.ts'

export const [listProducts, getProduct] = readsOf(Product)

export const catalogueEndpoints: readonly Endpoint[] = [listProducts, getProduct, createProduct, changeProduct]
