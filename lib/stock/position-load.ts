/**
 * Loads positions of stock: balances, levels and batches.
 *
 * Rows are looked up one by one, by their whole keys (`lateral`, `limit 1`), and not joined: the plan is made for the average
 * tenant, and for many small ones a join would read all of a huge tenant's stock (measured: 38 ms of 100,000 levels for two).
 */
import { parseCost, parseMicro } from '../decimal.ts'
import type { Source, Works } from '../documents/load.ts'
import type { Query, TextRow } from '../postgres/round-trip.ts'
import { textIn, textOrNullIn } from './row.ts'
import { type Batch, type Level, type Position, positionKey, type Where } from './stock.ts'
import { stockPart } from './stock-part.ts'

/** A variant at a place that a command opens; `pickable`: stock may be taken without naming a batch. */
export type PositionNeed = Where & { readonly pickable: boolean }
/** A batch that a command names, by id or by its number among the variant's. */
export type BatchNeed = { readonly itemVariantId: string; readonly id: string | null; readonly number: string | null }

/** Equal needs are one; pickable where one of them is. */
class Asked {
  readonly #needs = new Map<string, PositionNeed & { readonly tenantId: string }>()

  ask(tenantId: string, need: PositionNeed): void {
    const key = `${tenantId} ${positionKey(need)}`
    const pickable = need.pickable || (this.#needs.get(key)?.pickable ?? false)
    this.#needs.set(key, { ...need, pickable, tenantId })
  }

  get needs() {
    return [...this.#needs.values()]
  }

  /** Either source may answer first: a command that only names batches makes the one of levels before that of balances. */
  open(works: Works): void {
    for (const need of this.needs) works.get(need.tenantId)?.part(stockPart).open(need)
  }

  /** What the positions hold, as far as both sources have answered, is what they held before their first command. */
  settle(works: Works): void {
    for (const need of this.needs) works.get(need.tenantId)?.part(stockPart).settle(need)
  }

  get columns(): readonly (readonly unknown[])[] {
    const { needs } = this
    return [
      needs.map(({ tenantId }) => tenantId),
      needs.map(({ itemVariantId }) => itemVariantId),
      needs.map(({ storagePlaceId }) => storagePlaceId ?? '0'),
    ]
  }
}

export class Balances extends Asked implements Source {
  query(): Query {
    return {
      text: `
        select q.tenant_id, q.item_variant_id, q.place_key, b.quantity, b.quarantine_quantity, b.value
        from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as q (tenant_id, item_variant_id, place_key)
        cross join lateral (
          select * from stock_balances
          where tenant_id = q.tenant_id and item_variant_id = q.item_variant_id and place_key = q.place_key
          limit 1
        ) b`,
      values: this.columns,
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    this.open(works)
    for (const row of rows) {
      const position = positionOf(row, works)
      if (!position) continue
      position.quantity = parseMicro(textIn(row, 'quantity'))
      position.quarantine = parseMicro(textIn(row, 'quarantine_quantity'))
      position.value = parseCost(textIn(row, 'value'))
      position.isStored = true
    }
    this.settle(works)
  }
}

function positionOf(row: TextRow, works: Works): Position | undefined {
  const place = textIn(row, 'place_key')
  const where = { itemVariantId: textIn(row, 'item_variant_id'), storagePlaceId: place === '0' ? null : place }
  return works.get(textIn(row, 'tenant_id'))?.part(stockPart).stock.positions.get(positionKey(where))
}

/** Levels with the batches of which they are; also batches that are named and have no level there. */
export class Levels extends Asked implements Source {
  readonly #batches: (BatchNeed & { readonly tenantId: string })[] = []

  askBatch(tenantId: string, need: BatchNeed): void {
    this.#batches.push({ ...need, tenantId })
  }

  query(): Query {
    const pickable = this.needs.map(need => need.pickable)
    if (this.#batches.length === 0 && !pickable.includes(true)) return { text: bareLevels, values: this.columns }
    return {
      text: allLevels,
      values: [
        ...this.columns,
        pickable,
        this.#batches.map(({ tenantId }) => tenantId),
        this.#batches.map(({ itemVariantId }) => itemVariantId),
        this.#batches.map(({ id }) => id),
        this.#batches.map(({ number }) => number),
      ],
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    this.open(works)
    for (const { tenantId, itemVariantId, number } of this.#batches)
      if (number !== null) works.get(tenantId)?.part(stockPart).knowNumber(itemVariantId, number)
    for (const row of rows) {
      const part = works.get(textIn(row, 'tenant_id'))?.part(stockPart)
      const batch = row['batch_id'] == null ? null : batchOf(row)
      if (batch !== null) part?.stock.batches.set(batch.id, batch)
      if (row['id'] == null) continue
      const position = positionOf(row, works)
      position?.levels.set(batch?.id ?? '', levelOf(row, batch))
    }
    this.settle(works)
  }
}

const batchOf = (row: TextRow): Batch => ({
  id: textIn(row, 'batch_id'),
  itemVariantId: textIn(row, 'item_variant_id'),
  number: textIn(row, 'batch_number'),
  manufactureDate: textOrNullIn(row, 'manufacture_date'),
  expiryDate: textOrNullIn(row, 'expiry_date'),
})

const levelOf = (row: TextRow, batch: Batch | null): Level => ({
  id: textIn(row, 'id'),
  batch,
  quantity: parseMicro(textIn(row, 'quantity')),
  quarantine: parseMicro(textIn(row, 'quarantine_quantity')),
  reserved: parseMicro(textIn(row, 'reserved_quantity')),
  expected: parseMicro(textIn(row, 'expected_quantity')),
  changed: false,
})

const levelColumns = 'l.id, l.quantity, l.quarantine_quantity, l.reserved_quantity, l.expected_quantity'

/** Levels without a batch: all that reservations need. */
const bareLevels = `
  select q.tenant_id, q.item_variant_id, q.place_key, ${levelColumns}
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as q (tenant_id, item_variant_id, place_key)
  cross join lateral (
    select * from stock_levels
    where tenant_id = q.tenant_id and item_variant_id = q.item_variant_id and place_key = q.place_key and batch_key = 0
    limit 1
  ) l`

const allLevels = `
  with asked as materialized (
    select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[]) as q (tenant_id, item_variant_id, place_key, pickable)
  ), named as materialized (
    select * from unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::text[]) as w (tenant_id, item_variant_id, id, number)
  ), in_stock as (
    -- Also decides which levels of other positions are read: a transfer may bring each of these batches there.
    select a.tenant_id, l.batch_id
    from asked a
    cross join lateral (
      select batch_id from stock_levels
      where tenant_id = a.tenant_id and item_variant_id = a.item_variant_id and place_key = a.place_key
        and quantity > 0 and batch_id is not null
      offset 0
    ) l
    where a.pickable
  ), known as materialized (
    select b.tenant_id, b.id, b.item_variant_id, b.number, b.manufacture_date, b.expiry_date
    from (
      select tenant_id, batch_id as id from in_stock
      union
      select tenant_id, id from named where id is not null
      union
      select w.tenant_id, b.id
      from named w
      cross join lateral (
        select id from batches
        where tenant_id = w.tenant_id and item_variant_id = w.item_variant_id and number = w.number
        limit 1
      ) b
    ) chosen
    cross join lateral (
      select * from batches where tenant_id = chosen.tenant_id and id = chosen.id limit 1
    ) b
  )
  select q.tenant_id, q.item_variant_id, q.place_key, ${levelColumns},
    null::bigint as batch_id, null::text as batch_number, null::date as manufacture_date, null::date as expiry_date
  from asked q
  cross join lateral (
    select * from stock_levels
    where tenant_id = q.tenant_id and item_variant_id = q.item_variant_id and place_key = q.place_key and batch_key = 0
    limit 1
  ) l
  union all
  select k.tenant_id, k.item_variant_id, l.place_key, ${levelColumns}, k.id, k.number, k.manufacture_date, k.expiry_date
  from known k
  left join lateral (
    select l.*
    from asked a
    cross join lateral (
      select * from stock_levels
      where tenant_id = a.tenant_id and item_variant_id = a.item_variant_id and place_key = a.place_key and batch_key = k.id
      limit 1
    ) l
    where a.tenant_id = k.tenant_id and a.item_variant_id = k.item_variant_id
  ) l on true`
