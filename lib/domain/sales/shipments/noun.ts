/** What shipments and packings of sales orders are. Their fields are nearly the same. */

import { created, fewIds, filtersOf, uniqueText } from '../../../kit/api/list-filters.ts'
import { lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { BodyOf, CreatedLineOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  code,
  cost,
  identifier,
  instant,
  key,
  link,
  longText,
  quantity,
  reference,
  text,
} from '../../../kit/fields/kinds.ts'
import { parts, sentParts } from '../../../kit/fields/parts.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from '../../stock/batches/noun.ts'
import { REVERSAL, reversalFields, reversalFilters } from '../../stock/reversals/fields.ts'
import { movedParts } from '../moved-parts.ts'
import { SalesOrder, SalesOrderItem } from '../orders/noun.ts'
import { lineFilters } from './queries.ts'

/** A line of the order, or its part from one batch. */
const itemFields = {
  id: key(),
  sales_order_item_id: reference().words('the line of the sales order').writable('create'),
  item_variant_id: reference(Variant).shownOrNull(),
  quantity: quantity({ moreThan: '0' }).writable('create'),
  batch_id: reference(Batch).orNull().writable('create'),
}

const documentFields = (prefix: string) => ({
  id: key(),
  number: code().counted(prefix).writable('create'),
  sales_order_id: reference(SalesOrder),
  date: instant().decided().writable('create'),
  external_ref: identifier().orNull().writable(),
  ...recordFields,
  created_at: instant(),
})

/** The fields of the transport. */
const parcelFields = {
  carrier: text().words('who carries the goods').orNull().writable(),
  tracking_number: text().words("the carrier's number of the parcel").orNull().writable(),
  tracking_url: link().words('where to follow the parcel').orNull().writable(),
  notes: longText().orNull().writable(),
}

/** The most components, and most batches, that an entry of a kit names. */
const NAMED_MAX = 500

/** A line may come from several batches, each with an entry of its own. */
const sent = { max: 500, on: 'create', absent: 'decided' } as const

/** The declaration that both share. */
const handling = {
  scopes: { read: 'read:sales', create: 'write:sales.order.update', update: 'write:sales.order.update' },
  unique: ['number', 'external_ref'],
} as const

const SalesShipmentItem = lineOf({
  table: 'sales_shipment_items',
  parent: 'sales_shipment_id',
  fields: {
    ...itemFields,
    sales_order_item_id: reference(SalesOrderItem).writable('create'),
    storage_place_id: reference(StoragePlace)
      .words(
        'where the goods left; null is stock without a place, and of a line without stock',
        "where the goods leave; the order line's place unless given. Not of a line without stock",
      )
      .orNull()
      .decided()
      .writable('create'),
    components: sentParts(
      parts(movedParts, "what left of a kit's components, an entry for each component and batch; [] of other lines"),
      {
        item_variant_id: reference(Variant).writable('create'),
        batch_id: reference(Batch).writable('create'),
        quantity: quantity({ moreThan: '0' }).writable('create'),
      },
      {
        max: NAMED_MAX,
        words:
          "of a kit's line: from which batches components leave; for those that are named together what leaves of each. Others are picked first-expired-first-out",
      },
    ),
    /** The order's id, which finds the lines of an order. */
    order_id: reference(SalesOrder).inColumn('sales_order_id').hidden(),
    /** The stock value that left; null for a service. */
    value: cost().orNull().hidden(),
  },
})

export const SalesShipment = noun({
  ...handling,
  name: 'sales shipment',
  called: 'shipment',
  table: 'sales_shipments',
  path: '/sales-shipments',
  tag: ['Sales shipments', 'What was shipped, over all sales orders.'],
  events: {
    created: 'Goods were shipped.',
    updated: 'Carrier, tracking, notes, `external_ref` or metadata of a shipment changed.',
    reversed: 'A shipment was reversed.',
  },
  posts: { as: 'a shipment of a sales order', kinds: { SALES_SHIPMENT: 'goods to a customer', ...REVERSAL } },
  fields: {
    ...documentFields('SH'),
    ...parcelFields,
    ...reversalFields,
    items: lines(
      SalesShipmentItem,
      'an entry for each line and batch; one for the line of a kit',
      'what is shipped; all that is left unless given',
    ).writable(sent),
  },
  filters: filtersOf({
    external_ref: uniqueText(),
    sales_order_id: fewIds(),
    ...lineFilters,
    ...created,
    ...reversalFilters,
  }),
  listed:
    '`item_variant_id` and `batch_id` find the shipments with such a line, or such a component of a kit. `created_after` is inclusive, `created_before` ' +
    'exclusive; both speak of `created_at`.',
})

const SalesPackingItem = lineOf({ table: 'sales_packing_items', parent: 'sales_packing_id', fields: itemFields })

/** Packings are listed by order only. */
export const SalesPacking = noun({
  ...handling,
  name: 'sales packing',
  called: 'packing',
  table: 'sales_packings',
  path: `${SalesOrder.path}/{id}/packings`,
  tag: SalesOrder.tag,
  fields: {
    ...documentFields('PK'),
    items: lines(SalesPackingItem, 'an entry for each line', 'what is packed; all that is left unless given').writable(
      sent,
    ),
  },
  filters: filtersOf({}),
})

export type Shipment = RecordOf<typeof SalesShipment>
export type Packing = RecordOf<typeof SalesPacking>

export type NewHandling = CreateOf<typeof SalesPacking | typeof SalesShipment>
export type Parcel = BodyOf<typeof parcelFields>
/** An entry of a packing or a shipment. Only an entry of a shipment has a place. */
export type HandlingItem = CreatedLineOf<typeof SalesPackingItem> &
  Pick<CreatedLineOf<typeof SalesShipmentItem>, 'storage_place_id' | 'components'>

export const documents = { sales_shipment: SalesShipment, sales_packing: SalesPacking } as const
