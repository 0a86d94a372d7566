/** The form for a new purchase order. */
import { type ButtonProps, TextInput } from '@mantine/core'
import type { CreatePurchaseOrderBody } from '@millrace/client'
import { sentTyped } from '../../exact.ts'
import { currencyRule, DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { NewOrder } from '../../patterns/new-order.tsx'
import { type OrderLine, orderLine } from '../../patterns/order-line.ts'
import { useSession } from '../../session.tsx'
import { blank, changesOf, fieldOf, PurchaseOrderFields, rules, type Values } from './form.tsx'

type Props = {
  /** The first values of the form, which the person may change. */
  readonly lines?: () => OrderLine[]
  readonly begin?: Partial<Pick<Values, 'supplier' | 'storage_place_id' | 'expected_date'>>
  readonly explains?: string
  readonly label?: string
  readonly button?: Pick<ButtonProps, 'size' | 'variant'>
}

export function NewPurchaseOrder(props: Props) {
  const { lines = () => [orderLine()], begin, explains, label = 'New purchase order', button } = props
  const { api, me } = useSession()
  const isForeign = (currency: string) => currency.trim().toUpperCase() !== me.currency
  return (
    <NewOrder
      label={label}
      title="New purchase order"
      explains={explains}
      path="/purchase-orders"
      size="xl"
      {...(button ? { button } : {})}
      scope={['write:purchase.order.create', 'read:purchase']}
      initial={() => ({ ...blank(me.currency), ...begin, items: lines(), exchange_rate: '', date: '' })}
      validate={{
        ...rules,
        currency: currencyRule,
        exchange_rate: (value, { currency }) => (isForeign(currency) ? decimalRules.positive(value) : null),
      }}
      fields={form => (
        <PurchaseOrderFields form={form as never}>
          <TextInput type="date" label="Ordered" {...form.getInputProps('date')} />
          <TextInput label="Currency" maxLength={3} {...form.getInputProps('currency')} />
          {isForeign(form.values.currency) && (
            <DecimalInput
              label="Exchange rate"
              description={`${me.currency} for one ${form.values.currency.trim().toUpperCase()}`}
              withAsterisk
              {...form.getInputProps('exchange_rate')}
            />
          )}
        </PurchaseOrderFields>
      )}
      fieldOf={(field, now) => fieldOf(field, now, blank(me.currency))}
      send={(now, sending) =>
        api.purchaseOrders.create(
          {
            ...(changesOf(blank(me.currency), now) as CreatePurchaseOrderBody),
            currency: now.currency.trim().toUpperCase(),
            exchange_rate: isForeign(now.currency) ? sentTyped(now.exchange_rate) : undefined,
            date: now.date || undefined,
          },
          sending,
        )
      }
    />
  )
}
