/** What returns that are not cancelled refund of the lines and charges of a sales order. A new return and a change of the order load it. */
import { question } from '../../../kit/documents/question.ts'
import { parseCost, parseMicro } from '../../../platform/decimal.ts'
import type { TextRow } from '../../../platform/postgres/round-trip.ts'
import { type Amount, asAmount } from '../../accounting/money.ts'
import { type Held, NOTHING_HELD, type Refund } from '../../accounting/refund-rules.ts'
import type { Charge, Line, Order } from '../orders/noun.ts'

export type Refunded = {
  readonly lines: ReadonlyMap<string, Held>
  readonly charges: ReadonlyMap<string, Refund>
  /** The number of a return that refunds a charge; null: there is none. */
  readonly namesCharge: string | null
  /** All refunds of the order, with tax. */
  readonly total: Amount
}

export const NOTHING_REFUNDED: Refunded = { lines: new Map(), charges: new Map(), namesCharge: null, total: 0n }

const returnsOf = `
  (
    select id, number from sales_returns
    where tenant_id = q.tenant_id and sales_order_id = q.id and status <> 'CANCELLED' offset 0
  ) r`

const linesOf = (table: string) =>
  `(select * from ${table} where tenant_id = q.tenant_id and sales_return_id = r.id offset 0) i`

/** The refunds of an order. Returns and their cancellations drop this answer for their order. */
export const refundedOfOrder = question({
  name: 'refunds of orders',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, h.*
    from ${asked}
    cross join lateral (
      select i.sales_order_item_id as line_id, null::bigint as charge_id, null as number,
        sum(i.refund_amount) as amount, sum(i.refund_tax_amount) as tax_amount, sum(i.quantity) as quantity,
        sum(i.usual_amount) as usual_amount, sum(i.usual_tax_amount) as usual_tax_amount
      from ${returnsOf} cross join lateral ${linesOf('sales_return_items')}
      group by 1
      union all
      select null, i.sales_order_charge_id, min(r.number), sum(i.amount), sum(i.tax_amount), null, null, null
      from ${returnsOf} cross join lateral ${linesOf('sales_return_charges')}
      group by 2
    ) h`,
  read: (rows): Refunded => {
    const amounts = (row: TextRow) => ({
      amount: asAmount(parseMicro(row['amount'] ?? '0')),
      taxAmount: asAmount(parseMicro(row['tax_amount'] ?? '0')),
    })
    const of = <T>(column: string, value: (row: TextRow) => T): ReadonlyMap<string, T> =>
      new Map(rows.flatMap(row => (row[column] == null ? [] : [[row[column], value(row)] as const])))
    return {
      lines: of('line_id', row => ({
        ...amounts(row),
        quantity: parseMicro(row['quantity'] ?? '0'),
        usual: {
          amount: parseCost(row['usual_amount'] ?? '0'),
          taxAmount: parseCost(row['usual_tax_amount'] ?? '0'),
        },
      })),
      charges: of('charge_id', amounts),
      namesCharge: rows.find(row => row['charge_id'] != null)?.['number'] ?? null,
      total: rows.map(amounts).reduce((sum, { amount, taxAmount }) => sum + amount + taxAmount, 0n),
    }
  },
})

/** The fields of an order that decide how refunds are calculated. */
export const refundRule = ({ currency, prices_include_tax: pricesIncludeTax }: Order) => ({
  currency,
  pricesIncludeTax,
})

export const chargedFor = ({ quantity, line_amount: amount, line_tax_amount: taxAmount }: Line) => ({
  quantity,
  amount,
  taxAmount,
})

/** What was charged by a charge of an order, or refunded by one of a return. */
export const chargedAs = ({ amount, tax_amount: taxAmount }: Pick<Charge, 'amount' | 'tax_amount'>): Refund => ({
  amount: asAmount(amount),
  taxAmount: asAmount(taxAmount),
})

/** What returns have of a line. */
export const heldOf = ({ lines }: Refunded, line: Line): Held => lines.get(line.id) ?? NOTHING_HELD
