/** The commands that make and change shipments and packings of sales orders (docs/rules/sales.md). */
import type { CommandEndpoint } from '../../../kit/api/endpoint.ts'
import { isRefusal } from '../../../kit/api/errors.ts'
import { type Day, dayIn } from '../../../kit/days.ts'
import { amend, changes } from '../../../kit/documents/acts.ts'
import { createsBelow } from '../../../kit/documents/creates.ts'
import { theRecords, theTenant, theTime } from '../../../kit/documents/needs.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { StoragePlace } from '../../places/noun.ts'
import type { BatchNeed } from '../../stock/level-load.ts'
import { sellableStock } from '../../stock/pick-order.ts'
import type { PositionNeed } from '../../stock/position-load.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { changedOrder } from '../orders/commands.ts'
import { componentPlaces } from '../orders/component-rules.ts'
import { type Line, notEditable, type Order, SalesOrder } from '../orders/noun.ts'
import { placeOf } from '../orders/quantity-rules.ts'
import { refuseFinished } from '../orders/status-rules.ts'
import { makeHandling } from './make-handling.ts'
import { documents, type HandlingItem, type NewHandling, SalesShipment } from './noun.ts'
import { decideHandling, type HandlingKind, placeOfEntry } from './rules.ts'

/** A usual shipment without `items` has this many entries. */
const ENTRIES = 8

/** Ships or packs the body's items, by default all that is left. Its events: the stock, the shipment, then the order. */
const createHandling = (
  kind: HandlingKind,
  name: string,
  words: {
    readonly id: string
    readonly summary: string
    readonly description: string
    readonly refusals: CommandEndpoint['refusals']
    readonly counts?: true
  },
): CommandEndpoint =>
  createsBelow(SalesOrder, name, documents[kind], {
    ...words,
    example: { items: [{ sales_order_item_id: '1043', quantity: 1 }] },
    ids: body => 1 + (body.items?.length ?? ENTRIES),
    needs: (body: NewHandling) => ({
      now: theTime,
      tenant: theTenant,
      places: theRecords(StoragePlace, placesNamed(body.items ?? [])),
    }),
    more: ({ record, body }, { now, tenant }) => ({
      stock: stockOf(positionsOf(kind, record, { items: body.items, day: dayIn(tenant.timeZone, body.date ?? now) })),
    }),
    decide: ({ record: before, body }, { number, places, refuseTaken, stock }, { now, tenant, work }) => {
      const date = body.date ?? now
      const refused =
        refuseFinished(before) ?? refuseDocumentDate({ field: 'date', date, now, tenant }) ?? refuseTaken()
      if (refused) return refused
      const document = { kind, id: work.newId(), date }
      const handled = decideHandling(stock, document, { order: before, items: body.items, places })
      if (isRefusal(handled)) return handled
      const { order: after, rows } = handled
      const made = makeHandling(work, { ...document, number: number.take(), orderId: before.id, said: body, rows })
      return { ...made, events: [...made.events, ...changedOrder({ work }, { before, after }).events] }
    },
  })

export const createShipment = createHandling('sales_shipment', 'shipments', {
  id: 'createShipment',
  summary: 'Ship a sales order',
  description:
    'Writes stock off at the place of each entry, by default of all that is unshipped at the places of its lines. Without `batch_id` batches are taken ' +
    'first-expired-first-out, an entry of the answer for each; expired and quarantined stock is never taken, also not by ' +
    'name. More than is left of a line is 400, short stock 409 `insufficient_stock`; then nothing moves. Reservations fall by ' +
    'what is shipped. Of a kit its components leave, each in its share of the kits; `components` names their batches. The shipment that leaves nothing unshipped makes the order SHIPPED and DONE. Services are counted ' +
    'without movements.',
  counts: true,
  refusals: ['insufficient_stock', notEditable, 'unprocessable'],
})

export const createPacking = createHandling('sales_packing', 'packings', {
  id: 'createPacking',
  summary: 'Pack a sales order',
  description:
    'Counts what is packed, by default all that is left to pack: the quantity of a line less the greater of what is packed and ' +
    'what is shipped. No stock moves.',
  refusals: [notEditable, 'unprocessable'],
})

export const changeShipment = changes(SalesShipment, {
  description:
    'What is omitted stays; null clears. A shipment of a finished order and a reversed shipment can be changed too. No stock moves. A body ' +
    'that changes nothing answers the shipment as it is.',
  example: {
    carrier: 'DHL',
    tracking_number: '00340434161094042557',
    tracking_url: 'https://dhl.example/t/00340434161094042557',
    metadata: { parcel: '3 of 3' },
  },
  decide: amend(SalesShipment),
})

const placesNamed = (items: readonly HandlingItem[]): string[] => [
  ...new Set(items.flatMap(({ storage_place_id: id }) => id ?? [])),
]

/** The quantity that is left of a component: a shipment takes no more. */
function partOf({ components }: Line, variantId: string): Micro {
  const part = components.find(({ item_variant_id: id }) => id === variantId)
  return part === undefined ? 0n : part.quantity - part.shipped_quantity
}

/** A shipment loads the positions of its lines. A packing moves no stock and loads only its batches, to check that they exist. */
function positionsOf(
  kind: HandlingKind,
  order: Order,
  { items, day }: { readonly items: readonly HandlingItem[] | undefined; readonly day: Day },
): { readonly positions: PositionNeed[]; readonly batches: BatchNeed[] } {
  const lines = new Map(order.items.map(line => [line.id, line]))
  const asked =
    items === undefined
      ? [...lines.values()].map(line => ({
          line,
          placeId: line.storage_place_id,
          batchId: null,
          named: [],
          quantity: line.quantity,
        }))
      : items.flatMap(item => {
          const line = lines.get(item.sales_order_item_id)
          if (line === undefined) return []
          return [
            {
              line,
              placeId: placeOfEntry(line, item),
              batchId: item.batch_id,
              named: item.components ?? [],
              quantity: item.quantity,
            },
          ]
        })
  return {
    positions:
      kind === 'sales_packing'
        ? []
        : asked.flatMap(({ line, placeId, batchId, named, quantity }) => {
            const reserved = placeOf(line)
            if (reserved === null) return []
            if (line.components.length === 0) {
              const order = batchId === null ? sellableStock(day) : null
              return [reserved, { ...reserved, storagePlaceId: placeId, take: { quantity, order } }]
            }
            return componentPlaces(line).flatMap(part => {
              const isNamed = named.some(({ item_variant_id: id }) => id === part.itemVariantId)
              const take = { quantity: partOf(line, part.itemVariantId), order: isNamed ? null : sellableStock(day) }
              return [part, { ...part, storagePlaceId: placeId, take }]
            })
          }),
    batches: asked.flatMap(({ batchId, named }) => [
      ...(batchId === null ? [] : [{ id: batchId }]),
      ...named.map(({ batch_id: id }) => ({ id })),
    ]),
  }
}
