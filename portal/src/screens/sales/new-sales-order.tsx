/** The form that makes a sales order. */
import { TextInput } from '@mantine/core'
import { type Choice, PartnerPicker } from '../../patterns/inputs.tsx'
import {
  NewOrder,
  type OrderLine,
  OrderLineFields,
  orderLine,
  orderLineRules,
  sentOrderLine,
} from '../../patterns/order-lines.tsx'
import { Promised } from '../../patterns/promised.tsx'
import { useApi } from '../../session.tsx'

type Values = { customer: Choice | null; delivery_date: string; notes: string; items: OrderLine[] }

export function NewSalesOrder() {
  const api = useApi()
  return (
    <NewOrder
      label="New sales order"
      path="/sales-orders"
      scope="write:sales.order.create"
      initial={(): Values => ({ customer: null, delivery_date: '', notes: '', items: [orderLine()] })}
      validate={{ customer: value => (value === null ? 'choose a customer' : null), items: orderLineRules }}
      fields={form => (
        <>
          <PartnerPicker of="customers" label="Customer" required {...form.getInputProps('customer')} />
          <OrderLineFields
            form={form}
            of="is_sellable"
            usualPrice="list price"
            says={index => {
              const { variant = null, quantity = '' } = form.values.items[index] ?? {}
              return <Promised variant={variant} quantity={quantity} />
            }}
          />
          <TextInput type="date" label="Due" {...form.getInputProps('delivery_date')} />
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={({ customer, delivery_date, notes, items }, sending) =>
        api.salesOrders.create(
          {
            customer_id: customer?.id,
            delivery_date: delivery_date || null,
            notes: notes.trim() || null,
            items: items.map(sentOrderLine),
          },
          sending,
        )
      }
    />
  )
}
