/**
 * Finds products that an import may change. Looking up each of many costs as much as changing it. So with the look-ups it reads the list page
 * by page, and finds further products among what it read.
 */
import { nameOf } from './in-order.ts'
import { findRecord, type RecordPath } from './record-writer.ts'
import { pagesOf, type Service } from './service.ts'
import { type Fields, fieldsIn } from './values.ts'

/** A page costs about as much as eight look-ups: where a file names few products of a huge list, pages add half to the cost at most. */
const LOOKUPS_A_PAGE = 16
/** Read products are in memory. */
const PRODUCTS_MAX = 50_000

export type ProductFinder = {
  /** The product with the row's external_ref, else with its sku; null: there is none. */
  readonly find: (row: Fields) => Promise<Fields | null>
  /** Whether such a product is found as it was when its page was read. */
  readonly isAhead: (names: readonly string[]) => boolean
  /** What is changed is no longer as it was read. */
  readonly forget: (names: readonly string[]) => void
}

export function productFinder(service: Service, path: RecordPath): ProductFinder {
  const pages = pagesOf(service, path.path)
  const read = new Map<string, Fields>()
  const forgotten = new Set<string>()
  let [lookups, products, pagesRead] = [0, 0, 0]
  let isReading = false
  let isWhole = false
  const readPage = async () => {
    isReading = true
    pagesRead++
    const { value: page = [], done } = await pages.next()
    for (const product of page) for (const name of namesOf(product)) if (!forgotten.has(name)) read.set(name, product)
    products += page.length
    isWhole = done === true
    isReading = false
  }
  const isAhead = (name: string) => read.has(name) || (isWhole && !forgotten.has(name))
  return {
    find: async row => {
      const [name] = rowNames(row)
      if (name !== undefined && isAhead(name)) return read.get(name) ?? null
      lookups++
      // A page that cannot be read is no fault: where the service is away, the look-up says so.
      if (!isReading && !isWhole && products < PRODUCTS_MAX && lookups > pagesRead * LOOKUPS_A_PAGE)
        readPage().catch(() => {})
      return findRecord(service, path, row)
    },
    isAhead: names => names.some(isAhead),
    forget: names => {
      for (const name of names) {
        forgotten.add(name)
        read.delete(name)
      }
    },
  }
}

/** By an external_ref also archived products are found, by a sku only what is not archived. */
const namesOf = ({ external_ref: ref, archived, variants }: Fields): readonly string[] => [
  ...nameOf('external_ref', ref),
  ...(archived === true ? [] : fieldsIn(variants)).flatMap(variant =>
    variant['archived'] === true ? [] : nameOf('sku', variant['sku']),
  ),
]

/** The names by which a row finds its product, in their order. */
export const rowNames = (row: Fields): readonly string[] => [
  ...nameOf('external_ref', row['external_ref']),
  ...[row, ...fieldsIn(row['variants'])].flatMap(({ sku }) => nameOf('sku', sku)),
]
