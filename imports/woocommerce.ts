/** WooCommerce's export of products: `variable` products, whose `variation` rows name them as their parent, and `simple` ones. Pure. */
import type { Fault } from './columns.ts'
import { plainText } from './plain-text.ts'
import type { CsvRecord } from './records.ts'
import type { CellReader, ShopReader } from './shop-reader.ts'

const columns =
  'external_ref title description category variant_external_ref variant_title sku barcode price purchase_price'.split(
    ' ',
  )
const ATTRIBUTE = /^attribute (\d{1,4}) name$/

type Parent = { readonly ref: string; readonly said: readonly string[]; hasVariations: boolean }

/** A product's external_ref is its ID, or its SKU where the export has no IDs. */
export function wooReader(header: ReadonlyMap<string, number>, cell: CellReader): ShopReader | Fault {
  const missing = ['type', 'name'].find(name => !header.has(name))
  if (missing !== undefined) return { fault: `the column ${missing === 'type' ? 'Type' : 'Name'} is missing` }
  if (!header.has('id') && !header.has('sku')) return { fault: 'the column ID or SKU is missing' }
  const numbers = [...header.keys()].flatMap(name => ATTRIBUTE.exec(name)?.[1] ?? [])
  const parents = new Map<string, Parent>()
  const variations: string[] = []
  const attributes = new Set<string>()
  const text = (record: CsvRecord, ...names: readonly string[]) => cell(record, ...names).replace(ESCAPED, '')
  const refOf = (record: CsvRecord) => text(record, 'id') || text(record, 'sku')
  /** As variations name it. */
  const namesOf = (record: CsvRecord) => {
    const [id, sku] = [text(record, 'id'), text(record, 'sku')]
    return [...(id === '' ? [] : [`id:${id}`]), ...(sku === '' ? [] : [sku])]
  }
  const productOf = (record: CsvRecord): readonly string[] => [
    text(record, 'name'),
    plainText((text(record, 'description') || text(record, 'short description')).replaceAll('\\n', '\n')),
    firstOf(text(record, 'categories')),
  ]
  const goodsOf = (record: CsvRecord): readonly string[] => [
    text(record, 'sku'),
    text(record, 'gtin, upc, ean, or isbn'),
    cell(record, 'regular price'),
    cell(record, 'cost of goods'),
  ]
  const valuesOf = (record: CsvRecord) =>
    new Map(
      numbers.flatMap(n => {
        const [name, value] = [text(record, `attribute ${n} name`), text(record, `attribute ${n} value(s)`)]
        return name === '' || value === '' ? [] : [[name, value] as const]
      }),
    )
  return {
    learn: record => {
      const type = typeOf(record, cell)
      if (type === 'variable') {
        const parent = { ref: refOf(record), said: productOf(record), hasVariations: false }
        for (const name of namesOf(record)) parents.set(name, parent)
      }
      if (type !== 'variation') return
      variations.push(text(record, 'parent'))
      for (const name of valuesOf(record).keys()) attributes.add(name)
    },
    header: () => {
      for (const name of variations) {
        const parent = parents.get(name)
        if (parent !== undefined) parent.hasVariations = true
      }
      return [...columns, ...[...attributes].map(name => `attributes.${name}`)]
    },
    read: record => {
      const { line } = record
      const type = typeOf(record, cell)
      const none = [...attributes].map(() => '')
      if (type === 'variation') {
        const name = text(record, 'parent')
        const parent = parents.get(name)
        const values = valuesOf(record)
        const title = [...values.values()].join(' / ') || text(record, 'name')
        const said = parent?.said ?? ['', '', '']
        const ref = parent?.ref ?? name.replace(/^id:/, '')
        const own = [text(record, 'id'), title, ...goodsOf(record)]
        return { line, cells: [ref, ...said, ...own, ...[...attributes].map(name => values.get(name) ?? '')] }
      }
      // The rows of its variations say what a variable product is; a grouped one only names others.
      const isShown = namesOf(record).some(name => parents.get(name)?.hasVariations)
      if (type === 'grouped' || (type === 'variable' && isShown)) return null
      return { line, cells: [refOf(record), ...productOf(record), '', '', ...goodsOf(record), ...none] }
    },
  }
}

/** A type stands among others: `simple, virtual`. */
function typeOf(record: CsvRecord, cell: CellReader): 'variable' | 'variation' | 'grouped' | 'simple' {
  const types = cell(record, 'type')
    .toLowerCase()
    .split(',')
    .map(type => type.trim())
  return (['variable', 'variation', 'grouped'] as const).find(type => types.includes(type)) ?? 'simple'
}

/** The first of several categories, which commas separate; a comma within one has a backslash. */
const firstOf = (categories: string): string =>
  (/^(?:\\,|[^,])*/.exec(categories)?.[0] ?? '').replaceAll('\\,', ',').trim()

/** WooCommerce writes an apostrophe before what a spreadsheet would take for a formula. */
const ESCAPED = /^'(?=[=+\-@])/
