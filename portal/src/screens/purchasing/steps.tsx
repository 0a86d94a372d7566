/** The steps of a purchase order, as far as its status allows them. */
import { Checkbox, Fieldset, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { PurchaseOrder } from '@millrace/client'
import { type Exact, minus } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { DecimalInput } from '../../patterns/inputs.tsx'
import { PlaceSelect, usePlaces, usualPlace } from '../../patterns/places.tsx'
import { fieldOfSent, linesLeft, type QuantityLine, quantityRule, sentLines } from '../../patterns/quantity-fields.tsx'
import { useMayHaveBatch } from '../../patterns/tracked.ts'
import { useApi } from '../../session.tsx'
import { EditPurchaseOrder } from './edit.tsx'

type Order = Exact<PurchaseOrder>
type Line = QuantityLine & {
  readonly item_id: string
  readonly batch_number: string
  readonly expiry_date: string
  readonly quarantine: boolean
}
type Values = { storage_place_id: string | null; received_date: string; items: Line[] }

export function PurchaseOrderSteps({ order }: { readonly order: Order }) {
  const api = useApi()
  const places = usePlaces()
  const { id, number, status } = order
  if (status !== 'OPEN') return <EditPurchaseOrder order={order} />
  const common = { record: order, reread: () => api.purchaseOrders.get(id) }
  return (
    <>
      <Step
        {...common}
        label="Receive"
        title={`Receive ${number}`}
        size="lg"
        button={{ variant: 'filled' }}
        scope="write:purchase.receipt.create"
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
            <ReceiptLines form={form} />
          </>
        )}
        send={({ storage_place_id, received_date, items }, sending) =>
          api.purchaseOrders.createReceipt(
            id,
            {
              storage_place_id: storage_place_id ?? '',
              received_date: received_date || undefined,
              items: sentLines(items, 'purchase_order_item_id', ({ batch_number, expiry_date, quarantine }) => ({
                batch_number: batch_number.trim() || undefined,
                expiry_date: expiry_date || undefined,
                quarantine,
              })),
            },
            sending,
          )
        }
        done={receipt => `Received with ${receipt.number}`}
        foretells={({ items, total_amount }) => (
          <Foretold begins="These goods enter the stock:" lines={items}>
            They cost {moneyText(total_amount, order.currency)} without tax.
          </Foretold>
        )}
      />
      <EditPurchaseOrder order={order} />
      <ReasonStep
        {...common}
        label="Close short"
        title={`Close ${number} short`}
        scope="write:purchase.order.update"
        explains="Nothing more is expected of this order. What has arrived stays; this cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        send={(reason, sending) => api.purchaseOrders.close(id, { reason }, sending)}
        done={() => `${number} is closed`}
      />
    </>
  )
}

function receivable({ items }: Order): Line[] {
  const ofLine = new Map(items.map(item => [item.id, item]))
  return linesLeft(items, item => minus(item.quantity, item.received_quantity)).map(line => ({
    ...line,
    item_id: ofLine.get(line.id)?.item_id ?? '',
    batch_number: ofLine.get(line.id)?.batch_number ?? '',
    expiry_date: ofLine.get(line.id)?.expiry_date?.slice(0, 10) ?? '',
    quarantine: false,
  }))
}

function ReceiptLines({ form }: { readonly form: UseFormReturnType<Values> }) {
  const lines = form.values.items
  const mayHaveBatch = useMayHaveBatch(lines.map(({ item_id }) => item_id))
  return lines.map(({ id, item_id, title, left }, index) => (
    <Fieldset key={id} legend={`${title}, ${quantityText(left)} left`}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} verticalSpacing="xs">
        <DecimalInput label="Quantity" {...form.getInputProps(`items.${index}.quantity`)} />
        {mayHaveBatch(item_id) && (
          <>
            <TextInput label="Batch" maxLength={64} {...form.getInputProps(`items.${index}.batch_number`)} />
            <TextInput type="date" label="Expires" {...form.getInputProps(`items.${index}.expiry_date`)} />
          </>
        )}
        <Checkbox
          label="Quarantine"
          style={{ alignSelf: 'end' }}
          pb={8}
          {...form.getInputProps(`items.${index}.quarantine`, { type: 'checkbox' })}
        />
      </SimpleGrid>
    </Fieldset>
  ))
}
