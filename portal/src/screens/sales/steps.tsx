/** The steps of a sales order that its status allows. */
import { forTyping, greater, isZero, minus, typed } from '../../exact.ts'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { Foretold, goodsOf } from '../../patterns/foretold.tsx'
import { fieldOfPick, kitOf, leaves, sentPicks } from '../../patterns/kit-picks.tsx'
import { typedOf } from '../../patterns/parts.tsx'
import { placeValue } from '../../patterns/places.tsx'
import { fieldOfSent, linesLeft, type QuantityLine, QuantityStep, sentLines } from '../../patterns/quantity-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { type TakenLine, Taking } from '../../patterns/taking.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { leftToShip } from './coverage-rules.ts'
import { EditSalesOrder, NoteOnSalesOrder } from './edit.tsx'
import { salesOrders } from './nouns.ts'

const shippedOf = ({ items }: Order, lines: readonly QuantityLine[]): TakenLine[] =>
  items.flatMap(({ id, title, item_variant_id: variantId, storage_place_id: place }): readonly TakenLine[] => {
    const line = lines.find(one => one.id === id)
    const kit = line?.picked
    if (kit)
      return kit.parts.map(part => ({
        ...{ variantId: part.item_variant_id, place, title: part.title },
        quantity: forTyping(leaves(kit, part, typedOf(lines, id))),
        own: minus(part.quantity, part.shipped_quantity),
      }))
    return line && variantId !== null
      ? [{ variantId, place, title, quantity: forTyping(typedOf(lines, id)), own: line.left }]
      : []
  })

/** The form's path of a field of a sent line. */
function shippedField(field: string, values: { readonly items: readonly QuantityLine[] }): string {
  const [, at, rest = ''] = /^items\.(\d+)\.(.*)$/.exec(fieldOfSent(field, values)) ?? []
  const line = values.items[Number(at)]
  if (at === undefined || line === undefined) return field
  const within = fieldOfPick(rest, line.picked, typed(line.quantity) ?? '0')
  return `items.${at}.${within === 'batch_id' ? 'batch' : within}`
}

export function SalesOrderSteps({ order }: { readonly order: Order }) {
  const api = useApi()
  const { id, number, status, items } = order
  const step = useStepsOf(salesOrders, order, 'write:sales.order.update')
  if (status !== 'OPEN') return <NoteOnSalesOrder order={order} />
  const titles = new Map(items.map(item => [item.id, item.title]))
  return (
    <>
      <QuantityStep
        {...step('Ship', 'shipped')}
        button={{ variant: 'filled' }}
        explains="The goods leave the stock now, of batches those that expire first unless you choose others."
        lines={linesLeft(
          items,
          leftToShip,
          ({ item_variant_id: variantId, storage_place_id: place, components }) =>
            variantId === null || components.length > 0 ? null : { variantId, place: placeValue(place) },
          kitOf,
        )}
        says={lines => <Taking documentId={id} lines={shippedOf(order, lines)} />}
        fieldOf={shippedField}
        texts={{ carrier: 'Carrier', tracking_number: 'Tracking number' }}
        send={(lines, sending, parcel) =>
          api.salesOrders.createShipment(
            id,
            {
              ...parcel,
              items: sentLines(lines, 'sales_order_item_id', ({ batch, picked, quantity }) => ({
                batch_id: batch || undefined,
                ...sentPicks(picked, typed(quantity) ?? '0'),
              })),
            },
            sending,
          )
        }
        done={shipment => `Shipped with ${shipment.number}`}
        foretells={shipment => (
          <Foretold
            begins="These goods leave the stock:"
            lines={shipment.items.flatMap(item => goodsOf(item, titles.get(item.sales_order_item_id) ?? ''))}
          >
            Other writes may come before: ask again if you wait.
          </Foretold>
        )}
      />
      <QuantityStep
        {...step('Pack', 'packed')}
        explains="Counts what is packed. No stock moves."
        lines={linesLeft(items, item => minus(item.quantity, greater(item.packed_quantity, item.shipped_quantity)))}
        send={(lines, sending) =>
          api.salesOrders.createPacking(id, { items: sentLines(lines, 'sales_order_item_id') }, sending)
        }
        done={packing => `Packed with ${packing.number}`}
        foretells={packing => (
          <Foretold
            begins="These count as packed then:"
            lines={packing.items.map(item => ({ ...item, title: titles.get(item.sales_order_item_id) ?? '' }))}
          >
            No stock moves.
          </Foretold>
        )}
      />
      <EditSalesOrder order={order} />
      <NoteOnSalesOrder order={order} />
      <Step
        {...step('Mark as done', 'done')}
        title={`${number} is done`}
        explains="The order is done as it is. What is reserved and not shipped becomes free; no stock moves."
        send={(_, sending) => api.salesOrders.update(id, { status: 'DONE' }, sending)}
      />
      {items.every(item => isZero(item.shipped_quantity)) && (
        <ReasonStep
          {...step('Cancel order', 'cancelled')}
          title={`Cancel ${number}`}
          explains="What it reserves becomes free. This cannot be taken back."
          button={{ color: 'red', variant: 'outline' }}
          send={(cancel_reason, sending) => api.salesOrders.update(id, { status: 'CANCELLED', cancel_reason }, sending)}
        />
      )}
    </>
  )
}
