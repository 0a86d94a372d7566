/** What leads to the events of products. */
import { type Caller, type EventExamples, patched, posted } from '../../kit/documents/examples.ts'

/** A new product's only variant. */
export async function variantExample({ post }: Caller): Promise<string> {
  const product = { title: 'Triggered mug', unit_name: 'pcs', price: 12.5, purchase_price: 4.2 }
  return (await post('/products', product)).variants[0].id
}

export const examples: EventExamples = {
  'product.created': variantExample,
  'product.updated': patched('/products', posted('/products', { title: 'Triggered mug' }), { title: 'Triggered cup' }),
}
