/** Opening stock in rows of products: once the product is there, what lies of it is booked. */
import { type Importer, type Outcome, type Row, refused } from './kind.ts'
import { type Stocked, stockBooker, stockColumns } from './opening-stock.ts'
import type { Service } from './service.ts'
import type { productTaker, TakenProduct } from './take-product.ts'
import type { Fields } from './values.ts'
import { variantOf } from './variant-rows.ts'

/** What a row says of the product, and of its stock. */
export function partedRow(row: Fields): { readonly goods: Fields; readonly stock: Fields } {
  const [goods, stock]: [Fields, Fields] = [Object.create(null), Object.create(null)]
  for (const [name, value] of Object.entries(row)) (Object.hasOwn(stockColumns, name) ? stock : goods)[name] = value
  return { goods, stock }
}

/** A row that books stock is made, also where its product was there. Without a quantity its other columns of stock say nothing. */
export function takerWithStock(
  service: Service,
  take: ReturnType<typeof productTaker>,
): Pick<Importer, 'take' | 'rest'> {
  const booker = stockBooker(service)
  const outcomeOf = new Map<number, Outcome>()
  const stocked = async ({ line, body }: Row, outcome: Outcome, taken: TakenProduct): Promise<Outcome | null> => {
    const { goods, stock } = partedRow(body)
    if (typeof outcome !== 'string' || !hasQuantity(stock) || taken.product === null) return outcome
    const of = stockedOf({ line, goods, isNew: outcome === 'created' }, taken)
    if (of === null) return outcome
    if ('faults' in of) return of
    const booked = await booker.keep(line, stock, of)
    if (booked !== null) return booked === 'known' ? outcome : booked
    outcomeOf.set(line, outcome)
    return null
  }
  return {
    take: async rows => {
      const misplaced = new Map<number, Outcome>()
      for (const { line, body } of rows) {
        const { stock } = partedRow(body)
        const fault = hasQuantity(stock) ? await booker.placeFault(stock) : null
        if (fault !== null) misplaced.set(line, fault)
      }
      // A refused row makes no product: else it would be made and told as refused.
      const [at] = misplaced.keys()
      if (at !== undefined)
        return rows.map(({ line }) => ({
          line,
          outcome: misplaced.get(line) ?? refused(null, `the product is refused: see line ${at}`),
        }))
      const taken = await take(rows.map(({ line, body }) => ({ line, body: partedRow(body).goods })))
      const outcomes = []
      for (const { line, outcome: ofProduct } of taken.outcomes) {
        const row = rows.find(row => row.line === line)
        const outcome = row === undefined ? ofProduct : await stocked(row, ofProduct, taken)
        if (outcome !== null) outcomes.push({ line, outcome })
      }
      return outcomes
    },
    rest: () =>
      booker.writes().map(({ names, write }) => ({
        names,
        write: async () =>
          (await write()).map(({ line, outcome }) => {
            const ofProduct = outcomeOf.get(line)
            const isMore = outcome === 'known' || ofProduct === 'changed'
            if (typeof outcome === 'string') return { line, outcome: isMore ? (ofProduct ?? outcome) : outcome }
            if (service.isDry || ofProduct !== 'created') return { line, outcome }
            const faults = outcome.faults.map(fault => ({ ...fault, reason: `${fault.reason}${WITHOUT_STOCK}` }))
            return { line, outcome: { faults } }
          }),
      })),
  }
}

const WITHOUT_STOCK = ' (the product is made, without this stock)'

const hasQuantity = ({ quantity }: Fields): boolean => quantity !== undefined && quantity !== null

/** Null: a dry run cannot ask for the stock of this variant. */
function stockedOf(
  { line, goods, isNew }: { readonly line: number; readonly goods: Fields; readonly isNew: boolean },
  { product, entries }: TakenProduct,
): Stocked | null | Extract<Outcome, object> {
  const variant = variantOf(goods, product ?? {})
  if (variant === null || 'faults' in variant) return variant as Extract<Outcome, object> | null
  if (entries === null) return null
  if (entries.length === 0) return { id: String(variant['id']), isNew, entries }
  const { sku } = variant
  const [entry] = entries
  const id = entry?.method === 'PATCH' ? String(variant['id']) : null
  if (typeof sku === 'string') return { id, sku, isNew, entries }
  if (id !== null && !isNew) return { id, isNew, entries }
  // The dry run knows a new product without a sku by one that it gives it.
  if (entry === undefined || id !== null || 'variants' in entry.body) return null
  const own = `import-line-${line}`
  return { id: null, sku: own, isNew, entries: [{ ...entry, body: { ...entry.body, sku: own } }] }
}
