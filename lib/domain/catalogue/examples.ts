/** The writes that lead to the events of products. */
import { type Caller, type EventExamples, patched, posted } from '../../kit/documents/examples.ts'

/** Makes a product with one variant. Returns the variant's id. */
export async function variantExample({ post }: Caller): Promise<string> {
  const product = { title: 'Triggered mug', unit_name: 'pcs', price: 12.5, purchase_price: 4.2 }
  return (await post('/products', product)).variants[0].id
}

export const examples: EventExamples = {
  'product.created': variantExample,
  'product.updated': patched('/products', posted('/products', { title: 'Triggered mug' }), { title: 'Triggered cup' }),
}
