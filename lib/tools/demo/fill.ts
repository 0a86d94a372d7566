/** The common part of the demo's steps: writes with fixed keys, and ids by sku or code. */
import type { DemoIds, Made, Write } from '../../kit/documents/examples.ts'
import { DemoRefused, type Send } from './client.ts'

type Product = Made & { readonly variants: readonly { readonly id: string; readonly sku: string | null }[] }
type Place = Made & { readonly code: string | null }
type Page<T> = { readonly data: readonly T[] }

export function writeOver(send: Send): Write {
  return async <Answer>(path: string, body: unknown, name: string, method: 'POST' | 'PATCH' = 'POST') =>
    (await send(method, path, body, `demo-${name}`)) as Answer
}

/** Whether the list at this path has a document with this external_ref. */
export async function isThere(send: Send, path: string, externalRef: string): Promise<boolean> {
  const { data } = (await send('GET', `${path}?external_ref=${externalRef}&limit=1`)) as Page<unknown>
  return data.length > 0
}

/** @throws DemoRefused, from the functions that it returns, for a missing record (its own step was refused) */
export async function readIds(send: Send): Promise<DemoIds> {
  const { data: products } = (await send('GET', '/products?limit=200')) as Page<Product>
  const { data: places } = (await send('GET', '/storage-places?limit=200')) as Page<Place>
  const bySku = (sku: string) => {
    for (const product of products)
      for (const variant of product.variants) if (variant.sku === sku) return { variant: variant.id, item: product.id }
    throw new DemoRefused(`there is no variant ${sku}`)
  }
  return {
    variant: sku => bySku(sku).variant,
    item: sku => bySku(sku).item,
    place: code => {
      const place = places.find(candidate => candidate.code === code)
      if (place === undefined) throw new DemoRefused(`there is no place ${code}`)
      return place.id
    },
  }
}
