/**
 * Opening stock, as a kind of its own and as columns of products. Rows become stock adjustments with the reason INITIAL, one per place and
 * 500 rows. Stock is booked only where there is none and no opening stock was booked before. So a second run never adds to it.
 */
import { columnsNamed, number, recordOf, required, text } from './columns.ts'
import { each } from './each-row.ts'
import { stockHeadings } from './headings.ts'
import {
  type ImportKind,
  KEPT_ROWS_MAX,
  type Outcome,
  type Refused,
  type Row,
  type RowOutcome,
  refused,
  type Write,
} from './kind.ts'
import { lineFaults } from './line-faults.ts'
import { openingHistory } from './opening-history.ts'
import { placeFinder } from './places.ts'
import { type Entry, faultsOf, ImportStopped, type Service } from './service.ts'
import { noSku, skuFinder } from './skus.ts'
import { canonical, type Fields, Figure } from './values.ts'

/** An adjustment takes no more lines. */
const LINES_MAX = 500

/** Columns of opening stock beside the name of the goods. */
export const stockColumns = {
  ...{ place: text, ...columnsNamed(number, 'quantity unit_cost') },
  ...columnsNamed(text, 'batch_number manufacture_date expiry_date'),
}
/** Fields that an adjustment's line takes unchanged from the row. */
const lineFields = ['quantity', 'unit_cost', 'batch_number', 'manufacture_date', 'expiry_date'] as const

export const stockScopes = ['read:stock', 'write:inventory.adjustment.create'] as const

const columns = { sku: required(text), ...stockColumns, quantity: required(number) }

export const openingStock: ImportKind = {
  name: 'opening-stock',
  title: 'Opening stock',
  about:
    'what lies there at the beginning; place is a code or title (empty: the main place). Only where there is no stock; a row ' +
    'that was booked before stays as it is. Files of products may have the same columns',
  columns,
  aliases: stockHeadings,
  scopes: ['read:catalog', ...stockScopes],
  createScopes: () => stockScopes,
  unique: [],
  rowsInDocument: LINES_MAX,
  open: service => {
    const findSku = skuFinder(service)
    const stock = stockBooker(service)
    const take = async ({ line, body }: Row): Promise<Outcome | null> => {
      const read = recordOf(columns, body)
      if ('reason' in read) return { faults: [read] }
      const sku = String(read.record['sku'])
      const placeFault = await stock.placeFault(read.record)
      if (placeFault !== null) return placeFault
      const id = await findSku(sku)
      return id === null ? noSku('sku', sku) : stock.keep(line, read.record, { id, isNew: false, entries: [] })
    }
    return { take: each(take), rest: stock.writes }
  },
}

/** The variant that a row stocks. One that dry runs made or changed is named by its sku, with the writes that did so. */
export type Stocked = {
  /** Null: it is only rehearsed. */
  readonly id: string | null
  readonly sku?: string
  readonly isNew: boolean
  readonly entries: readonly Entry[]
}

type Kept = { readonly line: number; readonly placeId: string | null; readonly item: Fields; readonly of: Stocked }

type StockBooker = {
  readonly placeFault: (record: Fields) => Promise<Refused | null>
  /** Null: the row is kept for `writes`. */
  readonly keep: (line: number, record: Fields, of: Stocked) => Promise<Outcome | null>
  readonly writes: () => readonly Write[]
}

export function stockBooker(service: Service): StockBooker {
  const findPlace = placeFinder(service)
  const findOpening = openingHistory(service)
  const kept: Kept[] = []
  return {
    placeFault: async record => {
      const place = await findPlace(record['place'])
      return 'faults' in place ? place : null
    },
    keep: async (line, record, of) => {
      const place = await findPlace(record['place'])
      if ('faults' in place) return place
      // A list of all goods also names goods without stock.
      if (canonical(record['quantity'] ?? null) === '0') return 'known'
      const known = of.isNew || of.id === null ? null : { variantId: of.id, placeId: place.id, record }
      const opening = known === null ? null : await findOpening(known)
      if (opening !== null) return opening
      if (kept.length >= KEPT_ROWS_MAX)
        throw new ImportStopped(`the file has more than ${KEPT_ROWS_MAX} rows of stock: split it. No stock was booked.`)
      const item: Fields = of.sku === undefined ? { item_variant_id: of.id } : { sku: of.sku }
      item['expected_quantity'] = new Figure('0')
      for (const name of lineFields) if (record[name] !== undefined) item[name] = record[name]
      kept.push({ line, placeId: place.id, item, of })
      return null
    },
    writes: () => writesOf(service, kept),
  }
}

/**
 * In the order of the file, so that the same file makes the same documents. Documents of one place run one after another: a row without a
 * cost takes the average of the rows before it.
 */
function writesOf(service: Service, kept: readonly Kept[]): readonly Write[] {
  const lineOf = new Map<string, number>()
  const repeated: RowOutcome[] = []
  const byPlace = new Map<string | null, Kept[]>()
  for (const row of kept.toSorted((a, b) => a.line - b.line)) {
    const { line, placeId, item } = row
    const position = JSON.stringify([placeId, item['item_variant_id'] ?? item['sku'], item['batch_number']])
    const first = lineOf.get(position)
    if (first !== undefined) {
      repeated.push({
        line,
        outcome: refused('sku', `stands on line ${first} already, with the same place and batch`),
      })
      continue
    }
    lineOf.set(position, line)
    const rows = byPlace.get(placeId)
    if (rows) rows.push(row)
    else byPlace.set(placeId, [row])
  }
  const documents = [...byPlace.values()].flatMap(rows => documentsOf(rows, service.entriesMax))
  return [
    { names: [], write: async () => repeated },
    ...documents.map(rows => ({ names: [`place ${rows[0]?.placeId}`], write: () => writeAdjustment(service, rows) })),
  ]
}

/** Rows of one place, so many as a document takes, and as a dry run takes with the writes that make their goods. */
function documentsOf(rows: readonly Kept[], entriesMax: number): Kept[][] {
  const documents: Kept[][] = []
  let entries = new Set<Entry>()
  for (const row of rows) {
    const document = documents.at(-1)
    const all = new Set([...entries, ...row.of.entries])
    if (document !== undefined && document.length < LINES_MAX && all.size < entriesMax) {
      document.push(row)
      entries = all
    } else {
      documents.push([row])
      entries = new Set(row.of.entries)
    }
  }
  return documents
}

/** An adjustment is made as a whole: the refused rows are left out, and the others sent again. */
async function writeAdjustment(service: Service, rows: readonly Kept[]): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  let left = rows
  while (left.length > 0) {
    const body: Fields = {
      reason: 'INITIAL',
      storage_place_id: left[0]?.placeId ?? null,
      items: left.map(({ item }) => item),
    }
    const key = `import-opening-stock-${service.hash(canonical(body))}`
    const after = [...new Set(left.flatMap(({ of }) => of.entries))]
    const result = await service.write({ method: 'POST', path: '/stock-adjustments', key, body, after })
    if (!('refusal' in result)) {
      const outcome = result.isReplay ? 'known' : 'created'
      return [...outcomes, ...left.map(({ line }) => ({ line, outcome }) as const)]
    }
    const { refusal } = result
    const faults = lineFaults(refusal.message, { list: 'items', columns: columnOf })
    const stock = refusal.code === 'stock_changed' ? '; opening stock is only for what has none' : ''
    for (const [index, { line }] of left.entries()) {
      const found = faults.size === 0 ? faultsOf(refusal) : faults.get(index)
      if (found === undefined) continue
      outcomes.push({ line, outcome: { faults: found.map(fault => ({ ...fault, reason: fault.reason + stock })) } })
    }
    left = faults.size === 0 ? [] : left.filter((_, index) => !faults.has(index))
  }
  return outcomes
}

const columnOf = { item_variant_id: 'sku', expected_quantity: 'quantity' }
