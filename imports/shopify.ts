/**
 * Shopify's export of products, in both of its layouts: the older one with `Handle` and `Variant SKU`, and the one with `URL handle` and
 * `SKU`. Pure.
 */
import type { Fault } from './columns.ts'
import { plainText } from './plain-text.ts'
import type { CsvRecord } from './records.ts'
import type { CellReader, ShopReader } from './shop-reader.ts'

const OPTIONS = [1, 2, 3]
const columns = 'external_ref title description category variant_title sku barcode price purchase_price'.split(' ')

/** Only the first row of a product names it and its options; the others have its handle, and a variant or a picture. */
export function shopifyReader(header: ReadonlyMap<string, number>, cell: CellReader): ShopReader | Fault {
  if (!header.has('handle') && !header.has('url handle')) return { fault: 'the column Handle or URL handle is missing' }
  if (!header.has('title')) return { fault: 'the column Title is missing' }
  /** The names of the options of each product, by its handle. */
  const optionsOf = new Map<string, readonly string[]>()
  const attributes = new Set<string>()
  /** The line of the first row of each product. */
  const firstLines = new Map<string, number>()
  const handleOf = (record: CsvRecord) => cell(record, 'handle', 'url handle')
  return {
    learn: record => {
      if (!firstLines.has(handleOf(record))) firstLines.set(handleOf(record), record.line)
      const names = OPTIONS.map(n => cell(record, `option${n} name`))
      if (optionsOf.has(handleOf(record)) || names.every(name => name === '')) return
      optionsOf.set(handleOf(record), names)
      for (const [at, name] of names.entries())
        if (name !== '' && !isNone(name, cell(record, `option${at + 1} value`))) attributes.add(name)
    },
    header: () => [...columns, ...[...attributes].map(name => `attributes.${name}`)],
    read: record => {
      const handle = handleOf(record)
      const isFirst = handle === '' || firstLines.get(handle) === record.line
      const names = optionsOf.get(handle) ?? []
      const values = OPTIONS.map((n, at) => {
        const value = cell(record, `option${n} value`)
        return isNone(names[at] ?? '', value) ? '' : value
      })
      const variant = [
        values.filter(value => value !== '').join(' / '),
        cell(record, 'variant sku', 'sku').replace(QUOTED, ''),
        cell(record, 'variant barcode', 'barcode').replace(QUOTED, ''),
        cell(record, 'variant price', 'price'),
        cell(record, 'cost per item'),
      ]
      if (!isFirst && variant.every(text => text === '')) return null
      return {
        line: record.line,
        cells: [
          handle,
          cell(record, 'title'),
          plainText(cell(record, 'body (html)', 'description')),
          cell(record, 'type') || cell(record, 'product category'),
          ...variant,
          ...[...attributes].map(name => values[names.indexOf(name)] ?? ''),
        ],
      }
    },
  }
}

/** A product without options has one that says so. */
const isNone = (name: string, value: string): boolean => name === 'Title' && value === 'Default Title'

/** Before a long code Shopify writes an apostrophe, so that spreadsheets keep it. */
const QUOTED = /^'/
