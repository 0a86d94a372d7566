/** The form that makes a purchase order. */
import { Group, TextInput } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { sent, typed } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { type Choice, DecimalInput, decimalRules, SupplierPicker } from '../../patterns/inputs.tsx'
import {
  type OrderLine,
  OrderLineFields,
  orderLine,
  orderLineRules,
  sentOrderLines,
} from '../../patterns/order-lines.tsx'
import { useSession } from '../../session.tsx'

type Values = {
  supplier: Choice | null
  currency: string
  exchange_rate: string
  expected_date: string
  notes: string
  items: OrderLine[]
}

export function NewPurchaseOrder() {
  const { api, me, can } = useSession()
  const navigate = useNavigate()
  const isForeign = (currency: string) => currency.trim().toUpperCase() !== me.currency
  return (
    <Step
      label="New purchase order"
      submitLabel="Create"
      size="lg"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      closed={can('write:purchase.order.create') ? undefined : 'The key lacks the scope write:purchase.order.create'}
      initial={(): Values => ({
        supplier: null,
        currency: me.currency,
        exchange_rate: '',
        expected_date: '',
        notes: '',
        items: [orderLine()],
      })}
      validate={{
        supplier: value => (value === null ? 'choose a supplier' : null),
        currency: value => (/^[a-z]{3}$/i.test(value.trim()) ? null : 'a code like EUR'),
        exchange_rate: (value, { currency }) => (isForeign(currency) ? decimalRules.positive(value) : null),
        items: orderLineRules,
      }}
      fields={form => (
        <>
          <SupplierPicker label="Supplier" required {...form.getInputProps('supplier')} />
          <OrderLineFields form={form} of="is_purchasable" usualPrice="usual price" />
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
      send={({ supplier, currency, exchange_rate, expected_date, notes, items }, sending) => {
        const rate = isForeign(currency) ? typed(exchange_rate) : null
        return api.purchaseOrders.create(
          {
            supplier_id: supplier?.id,
            currency: currency.trim().toUpperCase(),
            ...(rate === null ? {} : { exchange_rate: sent(rate) }),
            ...(expected_date === '' ? {} : { expected_date }),
            ...(notes.trim() === '' ? {} : { notes }),
            items: sentOrderLines(items),
          },
          sending,
        )
      }}
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: '/purchase-orders/$id', params: { id } })}
    />
  )
}
