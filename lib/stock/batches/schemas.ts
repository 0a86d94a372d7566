/** The filters of batches, what a batch is to readers, and its trace. */
import * as v from 'valibot'
import { code, oneOf, shape, timestamp } from '../../api/fields.ts'
import { fewIds, fewTexts, filtersOf } from '../../api/list-filters.ts'
import {
  choice,
  day,
  decimal,
  explained,
  idText,
  instant,
  named,
  orNull,
  plainText,
  truth,
  wholeNumber,
} from '../../api/reply-fields.ts'

const DAY_MS = 86_400_000

/** The first day that begins at the time or after it: a day begins at midnight UTC. */
const firstDayFrom = (time: string): string =>
  new Date(Math.ceil(Date.parse(time) / DAY_MS) * DAY_MS).toISOString().slice(0, 10)

export const batchFilters = filtersOf({
  number: fewTexts(code()),
  item_variant_id: fewIds(),
  expires_before: {
    schema: timestamp(),
    ask: ({ expires_before: before }) => ({
      dates: [
        { column: 'expiry_date', from: undefined, until: before === undefined ? undefined : firstDayFrom(before) },
      ],
    }),
  },
})

export const Batch = named(
  'Batch',
  shape({
    id: idText(),
    item_id: idText(),
    item_variant_id: idText(),
    sku: orNull(plainText()),
    title: plainText(),
    number: plainText(),
    manufacture_date: orNull(day()),
    expiry_date: orNull(day()),
    quantity: explained(decimal(), 'physical stock at all places, quarantined or not'),
    quarantine_quantity: explained(decimal(), 'of the quantity'),
    created_at: instant(),
  }),
)

export const directions = { forward: 'where it went', backward: 'where it came from' } as const
export type Direction = keyof typeof directions

export const TraceQuery = shape({ direction: oneOf(directions) })

/** What a row of a trace tells (docs/rules/batches.md). */
const traceKinds = {
  SHIPPED: 'to a customer',
  CONSUMED: 'by a manufacturing order',
  PRODUCED: 'by a manufacturing order',
  RECEIVED: 'from a supplier',
  RETURNED: 'by a customer',
  ADJUSTED_OUT: 'by an adjustment that lowered the stock',
  ADJUSTED_IN: 'by an adjustment that raised the stock',
  IN_STOCK: 'what lies at a place now, quarantined or not',
} as const

const sources = {
  STOCK_ADJUSTMENT: 'a stock adjustment',
  PURCHASE_RECEIPT: 'a receipt of a purchase order',
  MANUFACTURING_ORDER: 'a manufacturing order',
  SALES_SHIPMENT: 'a shipment of a sales order',
  SALES_RETURN: 'a sales return',
} as const

export const Trace = named(
  'BatchTrace',
  shape({
    batch: Batch,
    direction: choice(directions),
    truncated: explained(truth(), 'there is more than rows show: beyond level 20, or beyond 5,000 rows'),
    rows: v.array(
      shape({
        level: explained(wholeNumber(), '0: the batch itself; each order between leads one level deeper'),
        batch_id: orNull(idText()),
        batch_number: orNull(plainText()),
        item_variant_id: idText(),
        sku: orNull(plainText()),
        title: plainText(),
        kind: choice(traceKinds),
        quantity: explained(decimal(), 'more than 0; over all movements of the source, the batch and the place'),
        storage_place_id: orNull(idText()),
        source_type: orNull(explained(choice(sources), 'null for IN_STOCK, like all of the source')),
        source_id: orNull(idText()),
        source_number: orNull(plainText()),
        document_date: orNull(
          explained(instant(), 'of the source; an order that moved this at several times shows the earliest'),
        ),
        partner: orNull(
          explained(
            shape({ id: idText(), title: plainText(), country_code: orNull(plainText()) }),
            'the customer of a shipment or return, the supplier of a receipt',
          ),
        ),
      }),
    ),
  }),
)
