/** The steps of a sales order, as far as its status allows them. */
import { Textarea, TextInput } from '@mantine/core'
import type { SalesOrder } from '@millrace/client'
import { type Decimal, type Exact, greater, isZero, minus, sent } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import {
  fieldOfSent,
  linesLeft,
  QuantityFields,
  type QuantityLine,
  quantityRule,
  sentLines,
} from '../../patterns/quantity-fields.tsx'
import { useSession } from '../../session.tsx'

type Order = Exact<SalesOrder>
type Quantities = { items: QuantityLine[] }

const sentItems = (items: readonly QuantityLine[]) =>
  sentLines(items).map(({ line, quantity }) => ({ sales_order_item_id: line.id, quantity }))

export function SalesOrderSteps({ order }: { readonly order: Order }) {
  const { api, can } = useSession()
  if (order.status !== 'OPEN') return null
  const closed = can('write:sales.order.update') ? undefined : 'The key lacks the scope write:sales.order.update'
  const common = { record: order, reread: () => api.salesOrders.get(order.id), closed }
  const toShip = linesLeft(order.items, item => minus(item.quantity, item.shipped_quantity))
  const toPack = linesLeft(order.items, item =>
    minus(item.quantity, greater(item.packed_quantity, item.shipped_quantity)),
  )
  const isUntouched = order.items.every(item => isZero(item.shipped_quantity))
  return (
    <>
      {toShip.length > 0 && (
        <Step
          {...common}
          label="Ship"
          title={`Ship ${order.number}`}
          size="lg"
          button={{ variant: 'filled' }}
          explains="The goods leave the stock now, of batches those that expire first."
          initial={(): Quantities => ({ items: toShip })}
          validate={{ items: { quantity: quantityRule } }}
          fields={form => <QuantityFields lines={form.values.items} inputProps={form.getInputProps} />}
          fieldOf={fieldOfSent}
          send={({ items }, sending) => api.salesOrders.createShipment(order.id, { items: sentItems(items) }, sending)}
          done={({ number }) => `Shipped with ${number}`}
        />
      )}
      {toPack.length > 0 && (
        <Step
          {...common}
          label="Pack"
          title={`Pack ${order.number}`}
          size="lg"
          explains="Counts what is packed. No stock moves."
          initial={(): Quantities => ({ items: toPack })}
          validate={{ items: { quantity: quantityRule } }}
          fields={form => <QuantityFields lines={form.values.items} inputProps={form.getInputProps} />}
          fieldOf={fieldOfSent}
          send={({ items }, sending) => api.salesOrders.createPacking(order.id, { items: sentItems(items) }, sending)}
          done={({ number }) => `Packed with ${number}`}
        />
      )}
      <Step
        {...common}
        label="Edit"
        title={`Edit ${order.number}`}
        submitLabel="Save"
        initial={() => ({
          delivery_date: order.delivery_date?.slice(0, 10) ?? '',
          priority: order.priority as string,
          notes: order.notes ?? '',
        })}
        validate={{ priority: value => (/^-?\d{1,10}$/.test(value.trim()) ? null : 'a whole number') }}
        fields={form => (
          <>
            <TextInput type="date" label="Due" {...form.getInputProps('delivery_date')} />
            <TextInput label="Priority" inputMode="numeric" {...form.getInputProps('priority')} />
            <Textarea label="Notes" autosize minRows={3} maxLength={10_000} {...form.getInputProps('notes')} />
          </>
        )}
        send={({ delivery_date, priority, notes }, sending) =>
          api.salesOrders.update(
            order.id,
            {
              delivery_date: delivery_date || null,
              priority: sent(priority.trim() as Decimal),
              notes: notes.trim() || null,
            },
            sending,
          )
        }
        done={({ number }) => `${number} is saved`}
      />
      <Step
        {...common}
        label="Mark as done"
        title={`${order.number} is done`}
        submitLabel="Mark as done"
        explains="The order is done as it is. What is reserved and not shipped becomes free; no stock moves."
        initial={() => ({})}
        send={(_, sending) => api.salesOrders.update(order.id, { status: 'DONE' }, sending)}
        done={({ number }) => `${number} is done`}
      />
      {isUntouched && (
        <Step
          {...common}
          label="Cancel order"
          title={`Cancel ${order.number}`}
          explains="What it reserves becomes free. This cannot be taken back."
          button={{ color: 'red', variant: 'outline' }}
          initial={() => ({ cancel_reason: '' })}
          fields={form => <TextInput label="Reason" maxLength={255} {...form.getInputProps('cancel_reason')} />}
          send={({ cancel_reason }, sending) =>
            api.salesOrders.update(
              order.id,
              { status: 'CANCELLED', cancel_reason: cancel_reason.trim() || null },
              sending,
            )
          }
          done={({ number }) => `${number} is cancelled`}
        />
      )}
    </>
  )
}
