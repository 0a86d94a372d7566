/**
 * The import of products. A row is the body of `POST /products`, and is found again by its external_ref or first sku. Rows that repeat the
 * external_ref of a product are its variants.
 */

import { Product } from '../../domain/catalogue/noun.ts'
import type { JsonObject } from '../../platform/json.ts'
import { columnsOf, type Fault, text } from './columns.ts'
import { nameOf } from './in-order.ts'
import { objectsOf, sameFields } from './json-values.ts'
import type { Importer, ImportKind, Outcome } from './kind.ts'
import { changeRecord, findRecord, recordWriter } from './record-writer.ts'
import type { Service } from './service.ts'
import { changeOf, foundVariant, newProduct, partsOf, variantColumns } from './variant-rows.ts'

export const products: ImportKind = {
  name: 'products',
  about:
    "as in POST /products, JSON lines also with variants; found again by external_ref, else by sku. Rows that repeat a product's " +
    'external_ref (or handle) are its variants: a sku that is not there is a new one',
  // For a product with one variant. JSON lines may have `variants` instead.
  columns: {
    ...columnsOf(Product),
    ...Object.fromEntries(Object.keys(variantColumns).map(name => [name, text])),
  },
  aliases: { handle: 'external_ref' },
  // A row may add a variant to a product.
  scopes: ['read:catalog', 'write:catalog.product.create', 'write:catalog.product.update'],
  updateScope: 'write:catalog.product.update',
  open: (service, { update } = { update: false }) => importer(service, update),
}

// Without the kind in the key, as in the first release: within 30 days its imports are recognised by these keys.
const kind = { path: '/products', keyPrefix: 'import', hasByRef: true } as const

function importer(service: Service, update: boolean): Importer {
  const write = recordWriter(service, { ...kind, lookupOf, isSame: isSameProduct })
  /** The first row of each reference, by what it says of the product. */
  const firstOf = new Map<string, { readonly line: number; readonly product: JsonObject }>()
  const changeFound = async (row: JsonObject): Promise<Outcome | null> => {
    const found = await findProduct(service, row)
    if (found === null) return null
    if ('fault' in found) return found as Outcome
    const change = row['variants'] === undefined ? changeOf(row, found) : changeOfList(row, found)
    return 'fault' in change
      ? (change as Outcome)
      : changeRecord(service, kind, { found, change: change as JsonObject })
  }
  return {
    names: namesOf,
    take: async ({ line, body }) => {
      const [ref] = nameOf('external_ref', body['external_ref'])
      const first = ref === undefined ? undefined : firstOf.get(ref)
      if (first !== undefined) return takeVariant(service, { body, first, update })
      if (ref !== undefined) firstOf.set(ref, { line, product: partsOf(body).product })
      return (update ? await changeFound(body) : null) ?? write(newProduct(body))
    },
  }
}

/** The product of the row: by external_ref, else by sku, unless that product has another external_ref. */
async function findProduct(service: Service, row: JsonObject): Promise<JsonObject | null | Fault> {
  const found = await findRecord(service, { ...kind, lookupOf }, row)
  const { external_ref: ref, ...rest } = row
  if (found !== null || ref === undefined) return found
  const bySku = await findRecord(service, { ...kind, lookupOf }, rest)
  if (bySku === null || bySku['external_ref'] === null) return bySku
  return {
    fault: `sku: is that of product ${bySku['id']}, whose external_ref is ${JSON.stringify(bySku['external_ref'])}`,
  }
}

/** A further row of a product: it makes a variant, or says what one is. */
async function takeVariant(
  service: Service,
  {
    body,
    first,
    update,
  }: {
    readonly body: JsonObject
    readonly first: { readonly line: number; readonly product: JsonObject }
    readonly update: boolean
  },
): Promise<Outcome> {
  const { product, variant } = partsOf(body)
  const other = Object.keys(product).find(name => !sameFields({ [name]: product[name] ?? null }, first.product))
  if (other !== undefined) return { fault: `${other}: is another one than on line ${first.line}, of the same product` }
  const found = await findRecord(service, { ...kind, lookupOf }, body)
  if (found === null) return { fault: `external_ref: the product of line ${first.line} is not there` }
  const before = Object.keys(variant).length === 0 ? {} : foundVariant(variant, found)
  if (before !== null && 'fault' in before) return before as Outcome
  if (before === null) {
    const made = await changeRecord(service, kind, { found, change: { variants: [variant] } })
    return made === 'changed' ? 'created' : made
  }
  const change = changeOf({ ...variantOnly(body) }, found)
  if ('fault' in change) return change as Outcome
  if (Object.keys(change).length === 0) return 'known'
  if (update) return changeRecord(service, kind, { found, change: change as JsonObject })
  return { fault: `the variant is there with other values: --update changes it` }
}

/** The row without what it says of the product. */
function variantOnly(row: JsonObject): JsonObject {
  const { product } = partsOf(row)
  return Object.fromEntries(Object.entries(row).filter(([name]) => !(name in product)))
}

/** The change of a row of JSON with a list of variants. */
function changeOfList({ variants, ...row }: JsonObject, found: JsonObject): JsonObject | { readonly fault: string } {
  const change = changeOf(row, found)
  if ('fault' in change) return change as { readonly fault: string }
  const entries: JsonObject[] = []
  for (const variant of objectsOf(variants)) {
    const read = changeOf(
      Object.fromEntries(Object.entries(variant).map(([name, value]) => [columnOf(name), value])),
      found,
    )
    if ('fault' in read) return read as { readonly fault: string }
    entries.push(...objectsOf((read as JsonObject)['variants']))
  }
  return entries.length === 0 ? change : { ...(change as JsonObject), variants: entries }
}

const columnOf = (field: string): string =>
  Object.entries(variantColumns).find(([, name]) => name === field)?.[0] ?? field

/** A product is found by its reference, and by the sku of each of its variants. */
const namesOf = (row: JsonObject): readonly string[] => [
  ...nameOf('external_ref', row['external_ref']),
  ...[row, ...objectsOf(row['variants'])].flatMap(({ sku }) => nameOf('sku', sku)),
]

/** Whether the product's document has every field of the row. */
export function isSameProduct(row: JsonObject, product: JsonObject): boolean {
  const { variants, ...own } = row
  if (variants === undefined) {
    const change = changeOf(own, product)
    return Object.keys(change).length === 0
  }
  const [asked, found] = [objectsOf(variants), objectsOf(product['variants'])]
  return sameFields(own, product) && asked.every(variant => isThere(variant, found))
}

const isThere = (variant: JsonObject, found: readonly JsonObject[]): boolean =>
  found.some(each => sameFields(variant, each))

/** The query with which the list of products finds the row's product, or null when the row names none. */
export function lookupOf(row: JsonObject): string | null {
  const externalRef = row['external_ref']
  if (typeof externalRef === 'string') return `external_ref=${encodeURIComponent(externalRef.trim())}`
  const sku = row['sku'] ?? objectsOf(row['variants']).find(variant => typeof variant['sku'] === 'string')?.['sku']
  return typeof sku === 'string' ? `archived=false&sku=${encodeURIComponent(sku.trim())}` : null
}
