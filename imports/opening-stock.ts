/**
 * The import of opening stock. Rows become stock adjustments with the reason INITIAL, one per place and 500 rows. Stock is booked only
 * where there is none and no opening stock was booked before. So a second run never adds to it.
 */
import { number, recordOf, required, text } from '../../../imports/columns.ts'
import {
  type Importer,
  type ImportKind,
  KEPT_ROWS_MAX,
  type Outcome,
  type Row,
  type RowOutcome,
  refused,
  type Write,
} from '../../../imports/kind.ts'
import { faultsOf, ImportStopped, type Service } from '../../../imports/service.ts'
import { noSku, skuFinder } from '../../../imports/skus.ts'
import { canonical, type Fields, Figure } from '../../../imports/values.ts'
import { LINES_MAX } from '../../domain/stock/adjustments/noun.ts'
import { each } from './each-row.ts'
import { lineFaults } from './line-faults.ts'
import { openingHistory } from './opening-history.ts'
import { placeFinder } from './places.ts'

const columns = {
  sku: required(text),
  place: text,
  quantity: required(number),
  unit_cost: number,
  batch_number: text,
  manufacture_date: text,
  expiry_date: text,
}
/** Fields that an adjustment's line takes unchanged from the row. */
const lineFields = ['quantity', 'unit_cost', 'batch_number', 'manufacture_date', 'expiry_date'] as const

export const openingStock: ImportKind = {
  name: 'opening-stock',
  about:
    'what lies there at the beginning; place is a code or title (empty: the main place). Only where there is no stock; a row ' +
    'that was booked before stays as it is',
  columns,
  scopes: ['read:catalog', 'read:stock', 'write:inventory.adjustment.create'],
  open: openImporter,
}

type Kept = { readonly line: number; readonly placeId: string | null; readonly item: Fields }

function openImporter(service: Service): Importer {
  const findSku = skuFinder(service)
  const findPlace = placeFinder(service)
  const findOpening = openingHistory(service)
  const kept: Kept[] = []
  const take = async ({ line, body }: Row): Promise<Outcome | null> => {
    const read = recordOf(columns, body)
    if ('reason' in read) return { faults: [read] }
    const { record } = read
    const place = await findPlace(record['place'])
    if ('faults' in place) return place
    const sku = String(record['sku'])
    const variantId = await findSku(sku)
    if (variantId === null) return noSku('sku', sku)
    // A list of all goods also names goods without stock.
    if (canonical(record['quantity'] ?? null) === '0') return 'known'
    const opening = await findOpening({ variantId, placeId: place.id, record })
    if (opening !== null) return opening
    if (kept.length >= KEPT_ROWS_MAX)
      throw new ImportStopped(`the file has more than ${KEPT_ROWS_MAX} rows to bring in: split it. Nothing was made.`)
    const item: Fields = { item_variant_id: variantId, expected_quantity: new Figure('0') }
    for (const name of lineFields) if (record[name] !== undefined) item[name] = record[name]
    kept.push({ line, placeId: place.id, item })
    return null
  }
  return {
    take: each(take),
    rest: () => writesOf(service, kept),
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
    const position = JSON.stringify([placeId, item['item_variant_id'], item['batch_number']])
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
  const writes = [...byPlace.values()].flatMap(rows =>
    Array.from({ length: Math.ceil(rows.length / LINES_MAX) }, (_, n) =>
      rows.slice(n * LINES_MAX, (n + 1) * LINES_MAX),
    ),
  )
  return [
    { names: [], write: async () => repeated },
    ...writes.map(rows => ({ names: [`place ${rows[0]?.placeId}`], write: () => writeAdjustment(service, rows) })),
  ]
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
    const result = await service.write({ method: 'POST', path: '/stock-adjustments', key, body })
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
