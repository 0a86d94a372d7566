/** The quantity of each batch that was shipped for an order's lines, less what other returns bring back. A new return loads it. */
import type { Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { type Micro, parseMicro } from '../../../platform/decimal.ts'
import { textOrNullIn } from '../../stock/row.ts'

/** What left for an order line from one batch, or without a batch (null). */
export type Part = {
  readonly batchId: string | null
  /** The place that it left last; null is stock without a place, or a service. */
  readonly storagePlaceId: string | null
  /** The quantity that left, less that of returns that are not cancelled. */
  readonly rest: Micro
}

/** The part that left last comes first. */
export type Parts = readonly Part[]

/** By order line. */
const returnableLine = question({
  name: 'returnable lines',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, p.batch_id, p.shipped, p.held, p.last_id, s.storage_place_id
    from ${asked}
    cross join lateral (
      select batch_id, sum(shipped) as shipped, sum(held) as held, max(shipped_id) as last_id
      from (
        select s.batch_id, s.quantity as shipped, 0 as held, s.id as shipped_id
        from sales_shipment_items s
        cross join lateral (
          select reversed from sales_shipments where tenant_id = s.tenant_id and id = s.sales_shipment_id limit 1
        ) h
        where s.tenant_id = q.tenant_id and s.sales_order_item_id = q.id and not h.reversed
        union all
        select i.batch_id, 0, i.quantity, null
        from sales_return_items i
        cross join lateral (
          select status from sales_returns where tenant_id = i.tenant_id and id = i.sales_return_id limit 1
        ) r
        where i.tenant_id = q.tenant_id and i.sales_order_item_id = q.id and r.status <> 'CANCELLED' and i.restock
      ) pieces
      group by batch_id
    ) p
    left join lateral (
      select storage_place_id from sales_shipment_items
      where tenant_id = q.tenant_id and sales_order_item_id = q.id and id = p.last_id limit 1
    ) s on true
    order by p.last_id desc`,
  read: (rows): Parts => {
    const pieces = rows.map(row => ({
      batchId: textOrNullIn(row, 'batch_id'),
      storagePlaceId: textOrNullIn(row, 'storage_place_id'),
      hasLeft: row['last_id'] !== null,
      shipped: parseMicro(row['shipped'] ?? '0'),
      held: parseMicro(row['held'] ?? '0'),
    }))
    const heldOf = (some: typeof pieces) => some.reduce((sum, { held }) => sum + held, 0n)
    // A return puts goods that left without a batch into a batch. So they count for the part without a batch.
    const strayed = heldOf(pieces.filter(({ hasLeft }) => !hasLeft))
    const restOf = ({ batchId, shipped, held }: (typeof pieces)[number]) => {
      const rest = shipped - held - (batchId === null ? strayed : 0n)
      return rest > 0n ? rest : 0n
    }
    const left = pieces.filter(({ hasLeft }) => hasLeft)
    return left.map(piece => ({ batchId: piece.batchId, storagePlaceId: piece.storagePlaceId, rest: restOf(piece) }))
  },
})

/** What left of a kit's component from one batch, or without a batch (null). */
export type ComponentPart = {
  readonly partId: string
  readonly batchId: string | null
  readonly batchNumber: string | null
  /** The quantity that left, less that of returns that are not cancelled. */
  readonly rest: Micro
}

/** What is left of each part. Each entry lowers it. */
export type PartsLeft = readonly { readonly part: ComponentPart; left: Micro }[]

/** What can be returned of the components of a kit's order line, the part that left last first. */
const returnableKit = question({
  name: 'returnable kits',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, p.*
    from ${asked}
    cross join lateral (
      select item_variant_id, batch_id, max(batch_number) as batch_number, sum(shipped) as shipped, sum(held) as held,
        max(shipped_at) as last
      from (
        select (e.part ->> 'item_variant_id')::bigint as item_variant_id, (e.part ->> 'batch_id')::bigint as batch_id,
          e.part ->> 'batch_number' as batch_number, (e.part ->> 'quantity')::numeric as shipped, 0 as held,
          array[s.id, e.place] as shipped_at
        from sales_shipment_items s
        cross join lateral (
          select reversed from sales_shipments where tenant_id = s.tenant_id and id = s.sales_shipment_id limit 1
        ) h
        cross join lateral jsonb_array_elements(s.components) with ordinality e (part, place)
        where s.tenant_id = q.tenant_id and s.sales_order_item_id = q.id and not h.reversed
        union all
        select (e.part ->> 'item_variant_id')::bigint, (e.part ->> 'batch_id')::bigint, null, 0,
          (e.part ->> 'quantity')::numeric, null
        from sales_return_items i
        cross join lateral (
          select status from sales_returns where tenant_id = i.tenant_id and id = i.sales_return_id limit 1
        ) r
        cross join lateral jsonb_array_elements(i.components) e (part)
        where i.tenant_id = q.tenant_id and i.sales_order_item_id = q.id and r.status <> 'CANCELLED'
      ) pieces
      group by item_variant_id, batch_id
    ) p
    order by p.last desc nulls last`,
  read: (rows): readonly ComponentPart[] => {
    const pieces = rows.map(row => ({
      partId: row['item_variant_id'] ?? '',
      batchId: textOrNullIn(row, 'batch_id'),
      batchNumber: textOrNullIn(row, 'batch_number'),
      hasLeft: row['last'] !== null,
      left: parseMicro(row['shipped'] ?? '0') - parseMicro(row['held'] ?? '0'),
    }))
    // A return puts goods that left without a batch into a batch. So they count for the part without a batch.
    const strayed = (of: string) =>
      pieces.reduce((sum, { partId, hasLeft, left }) => (partId === of && !hasLeft ? sum + left : sum), 0n)
    return pieces
      .filter(({ hasLeft }) => hasLeft)
      .map(({ hasLeft: _, left, ...piece }) => ({
        ...piece,
        rest: piece.batchId === null ? left + strayed(piece.partId) : left,
      }))
  },
})

/** Drops the answers of an order line. Call it after shipments, their reversals, returns, and the end of a return. */
export function forgetReturnable(work: Work, id: string): void {
  work.dropAnswer(returnableLine, { id })
  work.dropAnswer(returnableKit, { id })
}

/** What can be returned of the components, by the kit's order line. */
export const returnableParts = (lineIds: readonly string[]): Need<ReadonlyMap<string, readonly ComponentPart[]>> => ({
  ask: (load, tenantId) => {
    for (const id of lineIds) returnableKit.ask(load, tenantId, { id })
  },
  see: work => new Map(lineIds.map(id => [id, work.answer(returnableKit, { id })])),
})

/** The number of a return of the order line that is not cancelled; null if there is none. */
export const returnOfLine = question({
  name: 'returns of lines',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, r.number
    from ${asked}
    cross join lateral (
      select r.number from sales_return_items i
      cross join lateral (
        select number, status from sales_returns where tenant_id = i.tenant_id and id = i.sales_return_id limit 1
      ) r
      where i.tenant_id = q.tenant_id and i.sales_order_item_id = q.id and r.status <> 'CANCELLED'
      order by i.id limit 1
    ) r`,
  read: ([row]) => row?.['number'] ?? null,
  reads: ['sales_returns'],
})

/** What can be returned, by order line. */
export const returnable = (lineIds: readonly string[]): Need<ReadonlyMap<string, Parts>> => ({
  ask: (load, tenantId) => {
    for (const id of lineIds) returnableLine.ask(load, tenantId, { id })
  },
  see: work => new Map(lineIds.map(id => [id, work.answer(returnableLine, { id })])),
})
