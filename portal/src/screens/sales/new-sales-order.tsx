/** The form that makes a sales order. */
import { TextInput } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { Step } from '../../patterns/action-form.tsx'
import { type Choice, CustomerPicker } from '../../patterns/inputs.tsx'
import {
  type OrderLine,
  OrderLineFields,
  orderLine,
  orderLineRules,
  sentOrderLines,
} from '../../patterns/order-lines.tsx'
import { useSession } from '../../session.tsx'

type Values = { customer: Choice | null; delivery_date: string; notes: string; items: OrderLine[] }

export function NewSalesOrder() {
  const { api, can } = useSession()
  const navigate = useNavigate()
  return (
    <Step
      label="New sales order"
      submitLabel="Create"
      size="lg"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      closed={can('write:sales.order.create') ? undefined : 'The key lacks the scope write:sales.order.create'}
      initial={(): Values => ({ customer: null, delivery_date: '', notes: '', items: [orderLine()] })}
      validate={{ customer: value => (value === null ? 'choose a customer' : null), items: orderLineRules }}
      fields={form => (
        <>
          <CustomerPicker label="Customer" required {...form.getInputProps('customer')} />
          <OrderLineFields form={form} of="is_sellable" usualPrice="list price" />
          <TextInput type="date" label="Due" {...form.getInputProps('delivery_date')} />
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={({ customer, delivery_date, notes, items }, sending) =>
        api.salesOrders.create(
          {
            customer_id: customer?.id,
            ...(delivery_date === '' ? {} : { delivery_date }),
            ...(notes.trim() === '' ? {} : { notes }),
            items: sentOrderLines(items),
          },
          sending,
        )
      }
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: '/sales-orders/$id', params: { id } })}
    />
  )
}
