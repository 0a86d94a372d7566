/**
 * A write of the load: what is sent, and what must follow from it. All of it is known before the answer, so that an answer, a record or an
 * event of another write cannot be taken for its own.
 */

import type { Loose } from '../support/command-context.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The lists that are read after an attack, and the kind that the events of their documents name. */
export const kinds = {
  '/stock-adjustments': 'stock_adjustment',
  '/stock-transfers': 'stock_transfer',
  '/stock-counts': 'stock_count',
  '/purchase-orders': 'purchase_order',
  '/purchase-receipts': 'purchase_receipt',
  '/landed-costs': 'landed_cost',
  '/reservations': 'reservation',
  '/sales-orders': 'sales_order',
  '/sales-shipments': 'sales_shipment',
  '/sales-returns': 'sales_return',
  '/manufacturing-orders': 'manufacturing_order',
  '/products': 'product',
  '/customers': 'customer',
} as const
export type List = keyof typeof kinds

/** A refusal: its status, its code, and the words that its message must contain. */
export type Refusal = { readonly status: number; readonly error: string; readonly message: string }

export type Write = {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: Fields
  /** The `Idempotency-Key`. No other write of any tenant has it. */
  readonly key: string
  /** The status of a success, and of its replay. */
  readonly status: number
  readonly replayStatus: number
  /** What the answer of a success must show. */
  readonly shows: Fields
  /** What documents show afterwards. Their `external_ref` identifies them: no other document of any tenant has it. */
  readonly leaves: readonly { readonly list: List; readonly ref: string; readonly shows: Fields }[]
  /**
   * The events that it causes, without `stock.changed`. `ref` is the external_ref, or for the adjustment of a count the id of the count.
   */
  readonly events: readonly { readonly type: string; readonly ref: string }[]
  /** What it adds to the stock of storage places. */
  readonly moves: Readonly<Record<string, number>>
  /** The write is refused like this whenever it is sent, and has no effect. */
  readonly refusal?: Refusal
}

/** A bulk of writes. It has no key of its own. */
export type Bulk = { readonly mode: 'each' | 'all'; readonly entries: readonly Write[] }

/** These answer 200 to a replay of their 201. */
const REPLAYED_AS_200: readonly string[] = ['/products', '/stock-adjustments']

/** The reference of a record. The answer of a sales return has the record beside its lines and charges. */
export const refOf = (record: Loose): string | null => (record.sales_return ?? record).external_ref ?? null

function shapeOf(list: List, fields: Fields): Fields {
  if (list !== '/sales-returns') return fields
  const { items, charges, ...record } = fields
  return { [kinds[list]]: record, ...(items !== undefined && { items }), ...(charges !== undefined && { charges }) }
}

/** Makes a document whose `external_ref` is the key. It shows what was sent, unless `shows` says otherwise. */
export function creation(
  list: List,
  key: string,
  fields: Fields,
  { shows = fields, ...more }: Partial<Write> = {},
): Write {
  const shown = shapeOf(list, { external_ref: key, ...shows })
  return {
    method: 'POST',
    path: list,
    body: { external_ref: key, ...fields },
    key,
    status: 201,
    replayStatus: REPLAYED_AS_200.includes(list) ? 200 : 201,
    shows: shown,
    leaves: [{ list, ref: key, shows: shown }],
    events: [{ type: `${kinds[list]}.created`, ref: key }],
    moves: {},
    ...more,
  }
}

/** A step of the document `ref`, or a change to it: the answer is the document. */
export function change(
  { list, ref, id }: { readonly list: List; readonly ref: string; readonly id: string },
  { name, event, ...write }: Partial<Write> & Pick<Write, 'body' | 'shows'> & { name: string; event: string },
): Write {
  const shown = shapeOf(list, { ...write.shows, id, external_ref: ref })
  return {
    method: 'PATCH',
    path: `${list}/${id}`,
    key: `${ref}-${name}`,
    status: 200,
    replayStatus: 200,
    leaves: [{ list, ref, shows: shown }],
    events: [{ type: `${kinds[list]}.${event}`, ref }],
    moves: {},
    ...write,
    shows: shown,
  }
}

/** The same write as one that is refused, and leaves nothing. */
export const refused = (write: Write, refusal: Refusal): Write => ({
  ...write,
  leaves: [],
  events: [],
  moves: {},
  refusal,
})
