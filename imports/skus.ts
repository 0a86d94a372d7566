/** Finds variants by their skus, each once per import. */
import { type Refused, refused } from './kind.ts'
import { findFirst, type Service } from './service.ts'
import { fieldsIn } from './values.ts'

/** The id of the unarchived variant with the sku, or null. */
type FindSku = (sku: string) => Promise<string | null>

export function skuFinder(service: Service): FindSku {
  const found = new Map<string, Promise<string | null>>()
  const look = async (sku: string) => {
    const product = await findFirst(service, '/products', `archived=false&sku=${encodeURIComponent(sku)}`)
    const variant = fieldsIn(product?.['variants']).find(variant => variant['sku'] === sku && !variant['archived'])
    return variant === undefined ? null : String(variant['id'])
  }
  return sku => {
    const known = found.get(sku) ?? look(sku)
    found.set(sku, known)
    return known
  }
}

export const noSku = (column: string, sku: string): Refused =>
  refused(column, `no unarchived variant has the sku "${sku}"`)
