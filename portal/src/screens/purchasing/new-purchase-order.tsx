/** The form that makes a purchase order. */
import { Group, TextInput } from '@mantine/core'
import { sentTyped } from '../../exact.ts'
import { currencyRule, DecimalInput, decimalRules, PartnerPicker } from '../../patterns/inputs.tsx'
import { NewOrder, type OrderLine, orderLine, orderLineRules } from '../../patterns/order-lines.tsx'
import { useSession } from '../../session.tsx'
import { fieldOfSentLine, linesInStockUnits, type Ordered, PurchaseLines, sentPurchaseLines } from './order-lines.tsx'

type Values = Ordered & {
  readonly exchange_rate: string
  readonly expected_date: string
  readonly notes: string
}

type Props = {
  /** What it begins with; the person changes it. */
  readonly lines?: () => OrderLine[]
  readonly explains?: string
}

export function NewPurchaseOrder({ lines = () => [orderLine()], explains }: Props) {
  const { api, me } = useSession()
  const isForeign = (currency: string) => currency.trim().toUpperCase() !== me.currency
  return (
    <NewOrder
      label="New purchase order"
      explains={explains}
      path="/purchase-orders"
      size="xl"
      scope={['write:purchase.order.create', 'read:purchase']}
      initial={(): Values => ({
        supplier: null,
        currency: me.currency,
        exchange_rate: '',
        expected_date: '',
        notes: '',
        items: lines(),
        offers: [],
      })}
      validate={{
        supplier: value => (value === null ? 'choose a supplier' : null),
        currency: currencyRule,
        exchange_rate: (value, { currency }) => (isForeign(currency) ? decimalRules.positive(value) : null),
        items: orderLineRules,
      }}
      fields={form => (
        <>
          <PartnerPicker
            of="suppliers"
            label="Supplier"
            required
            {...form.getInputProps('supplier')}
            onChange={supplier => {
              if (supplier?.id !== form.values.supplier?.id) form.setFieldValue('items', linesInStockUnits(form.values))
              form.setFieldValue('supplier', supplier)
            }}
          />
          <PurchaseLines form={form} />
          <Group grow align="flex-start">
            <TextInput type="date" label="Expected" {...form.getInputProps('expected_date')} />
            <TextInput label="Currency" maxLength={3} {...form.getInputProps('currency')} />
          </Group>
          {isForeign(form.values.currency) && (
            <DecimalInput
              label="Exchange rate"
              description={`${me.currency} for one ${form.values.currency.trim().toUpperCase()}`}
              withAsterisk
              {...form.getInputProps('exchange_rate')}
            />
          )}
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      fieldOf={fieldOfSentLine}
      send={(values, sending) => {
        const { supplier, currency, exchange_rate, expected_date, notes } = values
        return api.purchaseOrders.create(
          {
            supplier_id: supplier?.id,
            currency: currency.trim().toUpperCase(),
            exchange_rate: isForeign(currency) ? sentTyped(exchange_rate) : undefined,
            expected_date: expected_date || null,
            notes: notes.trim() || null,
            items: sentPurchaseLines(values),
          },
          sending,
        )
      }}
    />
  )
}
