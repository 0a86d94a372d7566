/** The steps of a sales order, as far as its status allows them. */
import { Textarea, TextInput } from '@mantine/core'
import type { SalesOrder } from '@millrace/client'
import { type Decimal, type Exact, greater, isZero, minus, sent } from '../../exact.ts'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { placeValue } from '../../patterns/places.tsx'
import { fieldOfSent, linesLeft, QuantityStep, sentLines } from '../../patterns/quantity-fields.tsx'
import { useApi } from '../../session.tsx'

type Order = Exact<SalesOrder>

export function SalesOrderSteps({ order }: { readonly order: Order }) {
  const api = useApi()
  const { id, number, status, items } = order
  if (status !== 'OPEN') return null
  const titles = new Map(items.map(item => [item.id, item.title]))
  const common = { record: order, reread: () => api.salesOrders.get(id), scope: 'write:sales.order.update' }
  return (
    <>
      <QuantityStep
        {...common}
        label="Ship"
        title={`Ship ${number}`}
        button={{ variant: 'filled' }}
        explains="The goods leave the stock now, of batches those that expire first unless you choose one."
        lines={linesLeft(
          items,
          item => minus(item.quantity, item.shipped_quantity),
          item => ({ variantId: item.item_variant_id, place: placeValue(item.storage_place_id) }),
        )}
        fieldOf={(field, values) => fieldOfSent(field, values).replace(/\.batch_id$/, '.batch')}
        send={(lines, sending) =>
          api.salesOrders.createShipment(
            id,
            { items: sentLines(lines, 'sales_order_item_id', ({ batch }) => ({ batch_id: batch || undefined })) },
            sending,
          )
        }
        done={shipment => `Shipped with ${shipment.number}`}
        foretells={shipment => (
          <Foretold
            begins="These goods leave the stock:"
            lines={shipment.items.map(item => ({ ...item, title: titles.get(item.sales_order_item_id) ?? '' }))}
          >
            Other writes may come before: ask again if you wait.
          </Foretold>
        )}
      />
      <QuantityStep
        {...common}
        label="Pack"
        title={`Pack ${number}`}
        explains="Counts what is packed. No stock moves."
        lines={linesLeft(items, item => minus(item.quantity, greater(item.packed_quantity, item.shipped_quantity)))}
        send={(lines, sending) =>
          api.salesOrders.createPacking(id, { items: sentLines(lines, 'sales_order_item_id') }, sending)
        }
        done={packing => `Packed with ${packing.number}`}
      />
      <Step
        {...common}
        label="Edit"
        title={`Edit ${number}`}
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
            id,
            {
              delivery_date: delivery_date || null,
              priority: sent(priority.trim() as Decimal),
              notes: notes.trim() || null,
            },
            sending,
          )
        }
        done={() => `${number} is saved`}
      />
      <Step
        {...common}
        label="Mark as done"
        title={`${number} is done`}
        explains="The order is done as it is. What is reserved and not shipped becomes free; no stock moves."
        send={(_, sending) => api.salesOrders.update(id, { status: 'DONE' }, sending)}
        done={() => `${number} is done`}
      />
      {items.every(item => isZero(item.shipped_quantity)) && (
        <ReasonStep
          {...common}
          label="Cancel order"
          title={`Cancel ${number}`}
          explains="What it reserves becomes free. This cannot be taken back."
          button={{ color: 'red', variant: 'outline' }}
          send={(cancel_reason, sending) => api.salesOrders.update(id, { status: 'CANCELLED', cancel_reason }, sending)}
          done={() => `${number} is cancelled`}
        />
      )}
    </>
  )
}
