/** The steps of a purchase order, as far as its status allows them. */
import { Checkbox, Fieldset, SimpleGrid, TextInput } from '@mantine/core'
import type { PurchaseOrder } from '@millrace/client'
import { type Exact, minus } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { DecimalInput } from '../../patterns/inputs.tsx'
import { PlaceSelect, usualPlace } from '../../patterns/place-select.tsx'
import { usePlaces } from '../../patterns/places.ts'
import { fieldOfSent, linesLeft, type QuantityLine, quantityRule, sentLines } from '../../patterns/quantity-fields.tsx'
import { useMayHaveBatch } from '../../patterns/tracked.ts'
import { useSession } from '../../session.tsx'

type Order = Exact<PurchaseOrder>
type Line = QuantityLine & { readonly batch_number: string; readonly expiry_date: string; readonly quarantine: boolean }
type Values = { storage_place_id: string | null; received_date: string; items: Line[] }

export function PurchaseOrderSteps({ order }: { readonly order: Order }) {
  const { api, can } = useSession()
  const places = usePlaces()
  if (order.status !== 'OPEN') return null
  const common = { record: order, reread: () => api.purchaseOrders.get(order.id) }
  return (
    <>
      <Step
        {...common}
        label="Receive"
        title={`Receive ${order.number}`}
        size="lg"
        button={{ variant: 'filled' }}
        closed={
          can('write:purchase.receipt.create') ? undefined : 'The key lacks the scope write:purchase.receipt.create'
        }
        explains="The goods enter the stock now, at the order's prices. What is left empty arrives later."
        initial={(): Values => ({
          storage_place_id: usualPlace(places, 'purchase_allowed'),
          received_date: '',
          items: receivable(order),
        })}
        validate={{
          storage_place_id: value => (value === null ? 'choose where it is put' : null),
          items: { quantity: quantityRule },
        }}
        fieldOf={fieldOfSent}
        fields={form => (
          <>
            <SimpleGrid cols={2}>
              <PlaceSelect label="Put at" required of="purchase_allowed" {...form.getInputProps('storage_place_id')} />
              <TextInput type="date" label="Arrived on" {...form.getInputProps('received_date')} />
            </SimpleGrid>
            <ReceiptLines order={order} lines={form.values.items} inputProps={form.getInputProps} />
          </>
        )}
        send={({ storage_place_id, received_date, items }, sending) =>
          api.purchaseOrders.createReceipt(
            order.id,
            {
              storage_place_id: storage_place_id ?? '',
              ...(received_date === '' ? {} : { received_date }),
              items: sentLines(items).map(({ line, quantity }) => ({
                purchase_order_item_id: line.id,
                quantity,
                ...(line.batch_number.trim() === '' ? {} : { batch_number: line.batch_number }),
                ...(line.expiry_date === '' ? {} : { expiry_date: line.expiry_date }),
                quarantine: line.quarantine,
              })),
            },
            sending,
          )
        }
        done={({ number }) => `Received with ${number}`}
      />
      <Step
        {...common}
        label="Close short"
        title={`Close ${order.number} short`}
        submitLabel="Close short"
        closed={can('write:purchase.order.update') ? undefined : 'The key lacks the scope write:purchase.order.update'}
        explains="Nothing more is expected of this order. What has arrived stays; this cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        initial={() => ({ reason: '' })}
        fields={form => <TextInput label="Reason" maxLength={255} {...form.getInputProps('reason')} />}
        send={({ reason }, sending) => api.purchaseOrders.close(order.id, { reason: reason.trim() || null }, sending)}
        done={({ number }) => `${number} is closed`}
      />
    </>
  )
}

function receivable(order: Order): Line[] {
  const items = new Map(order.items.map(item => [item.id, item]))
  return linesLeft(order.items, item => minus(item.quantity, item.received_quantity)).map(line => ({
    ...line,
    batch_number: items.get(line.id)?.batch_number ?? '',
    expiry_date: items.get(line.id)?.expiry_date?.slice(0, 10) ?? '',
    quarantine: false,
  }))
}

type LinesProps = {
  readonly order: Order
  readonly lines: readonly Line[]
  // biome-ignore lint/suspicious/noExplicitAny: what the form library gives to inputs.
  readonly inputProps: (path: string, options?: { type: 'checkbox' }) => any
}

function ReceiptLines({ order, lines, inputProps }: LinesProps) {
  const items = new Map(order.items.map(item => [item.id, item]))
  const mayHaveBatch = useMayHaveBatch(order.items.map(({ item_id }) => item_id))
  return lines.map(({ id, title, left }, index) => (
    <Fieldset key={id} legend={`${title}, ${quantityText(left)} left`}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} verticalSpacing="xs">
        <DecimalInput label="Quantity" {...inputProps(`items.${index}.quantity`)} />
        {mayHaveBatch(items.get(id)?.item_id ?? '') && (
          <>
            <TextInput label="Batch" maxLength={64} {...inputProps(`items.${index}.batch_number`)} />
            <TextInput type="date" label="Expires" {...inputProps(`items.${index}.expiry_date`)} />
          </>
        )}
        <Checkbox
          label="Quarantine"
          style={{ alignSelf: 'end' }}
          pb={8}
          {...inputProps(`items.${index}.quarantine`, { type: 'checkbox' })}
        />
      </SimpleGrid>
    </Fieldset>
  ))
}
