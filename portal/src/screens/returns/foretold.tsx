/** The effects of a return on goods and money, in words, from the answers of dry runs. */
import { List, Text } from '@mantine/core'
import { isPositive, isZero, minus } from '../../exact.ts'
import { moneyText } from '../../format.tsx'
import { BatchOf } from '../../patterns/batches.tsx'
import { Foretold, goodsOf } from '../../patterns/foretold.tsx'
import { PartTexts } from '../../patterns/kits.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { SalesOrder as Order, SalesReturn } from '../../records.ts'
import { refundedOf } from './of-order.tsx'

type Props = { readonly one: SalesReturn; readonly order: Order; readonly returns: readonly SalesReturn[] }

/** @param props `returns` are the earlier returns. */
export function RefundForetold({ one: { sales_return: of, items, charges }, order, returns }: Props) {
  const { currency } = order
  const money = (value: typeof of.refund_amount) => moneyText(value, currency)
  const left = minus(refundedOf(order, returns).left, of.refund_amount_with_tax)
  return (
    <>
      <List size="sm">
        {items.map(item => (
          <List.Item key={item.id}>
            {isZero(item.quantity) ? (
              `${item.title}, money alone: `
            ) : (
              <>
                <Quantity of={item.quantity} goods={item} /> × {item.title}
                {item.batch_id !== null && (
                  <>
                    , batch <BatchOf id={item.batch_id} />
                  </>
                )}
                {item.restock
                  ? ` will come back${item.quarantine ? ' into quarantine' : ''}: `
                  : ' stays with the customer: '}
              </>
            )}
            {money(item.refund_amount_with_tax)}
            <PartTexts of={item.components} />
          </List.Item>
        ))}
        {charges.map(({ id, title, amount_with_tax }) => (
          <List.Item key={id}>
            {title}: {money(amount_with_tax)}
          </List.Item>
        ))}
      </List>
      <Text size="sm">
        The customer gets back {money(of.refund_amount_with_tax)} with tax, of it {money(of.refund_tax_amount)} tax. Of{' '}
        {order.number} {money(left)} are then left to refund.
      </Text>
    </>
  )
}

/** The goods that come back into stock when the return is received. */
export function BackForetold({ one: { sales_return: of, items } }: { readonly one: SalesReturn }) {
  const back = items.filter(({ quantity, restock }) => restock && isPositive(quantity))
  return (
    <Foretold
      begins={back.length > 0 ? 'These goods come back into the stock:' : 'No goods come back: no stock moves.'}
      lines={back.flatMap(item => goodsOf(item, item.quarantine ? `${item.title}, into quarantine` : item.title))}
    >
      {of.number} is done then.
    </Foretold>
  )
}
