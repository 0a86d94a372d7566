/** The returns of a sales order: how they are read, what they refund and leave, and how the order's page shows them. */
import { useQuery } from '@tanstack/react-query'
import { type Decimal, isPositive, isZero, minus, sum } from '../../exact.ts'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns, TableSection } from '../../patterns/data-table.tsx'
import { linesText } from '../../patterns/titles.ts'
import { Lines } from '../../patterns/units.tsx'
import type { SalesOrder as Order, SalesReturn } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { salesReturns } from './nouns.ts'

const PAGE_ROWS = 200
export const DOCUMENTS_MAX = 2_000

export const ofOrder = ({ id }: Order) => ({ sales_order_id: id, limit: PAGE_ROWS })

/** Undefined: not loaded yet. */
export function useReturns(order: Order): readonly SalesReturn[] | undefined {
  const { api } = useSession()
  const { data } = useQuery({
    queryKey: ['sales-returns', 'of', order.id],
    queryFn: ({ signal }) => api.salesReturns.list(ofOrder(order), { signal }).toArray({ max: DOCUMENTS_MAX }),
  })
  return data
}

/** The returns that count. */
export const notCancelled = (returns: readonly SalesReturn[]): readonly SalesReturn[] =>
  returns.filter(({ sales_return }) => sales_return.status !== 'CANCELLED')

/** What is refunded of an order with tax, and what is left. */
export function refundedOf(order: Order, returns: readonly SalesReturn[]): { refunded: Decimal; left: Decimal } {
  const refunded = sum(notCancelled(returns).map(({ sales_return }) => sales_return.refund_amount_with_tax))
  return { refunded, left: minus(order.total_amount_with_tax, refunded) }
}

/** The pieces that come back into stock. Some of them go into quarantine. */
const piecesOf = ({ items }: SalesReturn) => items.filter(({ quantity, restock }) => restock && isPositive(quantity))

export const bringsGoods = (one: SalesReturn): boolean => piecesOf(one).length > 0

/** The message after a return was received. */
export function backWords(one: SalesReturn): string {
  const pieces = piecesOf(one)
  const aside = pieces.filter(({ quarantine }) => quarantine).length
  if (pieces.length === 0) return 'paid back'
  return aside === 0 ? 'back in stock' : aside === pieces.length ? 'back, in quarantine' : 'back, partly in quarantine'
}

/** How much of an order's line came back, and how much is still to come. */
export function returnedOf(lineId: string, returns: readonly SalesReturn[]): { returned: Decimal; awaited: Decimal } {
  const of = (status: SalesReturn['sales_return']['status']) =>
    sum(
      returns
        .filter(({ sales_return }) => sales_return.status === status)
        .flatMap(piecesOf)
        .filter(({ sales_order_item_id }) => sales_order_item_id === lineId)
        .map(({ quantity }) => quantity),
    )
  return { returned: of('RETURNED'), awaited: of('NOT_RETURNED') }
}

/** The goods with their quantities, then what is refunded without goods. */
const goesBack = ({ items, charges }: SalesReturn) => ({
  goods: items.filter(({ quantity }) => isPositive(quantity)),
  money: [...items.filter(({ quantity }) => isZero(quantity)), ...charges].map(({ title }) => `money for ${title}`),
})

export function GoesBack({ one }: { readonly one: SalesReturn }) {
  const { goods, money } = goesBack(one)
  return (
    <>
      <Lines of={goods} />
      {goods.length > 0 && money.length > 0 && ', '}
      {money.join(', ')}
    </>
  )
}

/** The same as a column. */
export const goesBackColumn: Columns<SalesReturn>[number] = column.shown('What', one => <GoesBack one={one} />, {
  visibleFrom: 'sm',
  says: one => {
    const { goods, money } = goesBack(one)
    return [goods.length > 0 ? linesText(goods) : '', ...money].filter(Boolean).join(', ') || null
  },
})

type Row = SalesReturn & { readonly currency: string }

const columns: Columns<Row> = [
  numberColumn(salesReturns) as Columns<Row>[number],
  column.status('Status', ({ sales_return }) => sales_return.status),
  goesBackColumn,
  column.money('Tax in it', ({ sales_return, currency }) => [sales_return.refund_tax_amount, currency], 'sm'),
  column.money('Refund with tax', ({ sales_return, currency }) => [sales_return.refund_amount_with_tax, currency]),
]

type Props = { readonly order: Order; readonly returns: readonly SalesReturn[] | undefined }

export const ReturnsOfOrder = ({ order: { currency }, returns = [] }: Props) =>
  returns.length === 0 ? null : (
    <TableSection
      title="Returns"
      columns={columns}
      rows={returns.map(one => ({ ...one, currency, id: one.sales_return.id }))}
    />
  )
