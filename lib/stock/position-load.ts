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
export type BatchNeed = { readonly id: string } | { readonly itemVariantId: string; readonly number: string }

/** The questions, numbered in `at`. The place is null where stock without one is asked for. */
const asked = `unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as q (tenant_id, item_variant_id, storage_place_id, at)`

/**
 * Of the rows of balances and levels: that of the question `q`. Their key holds 0 for no place, which serves the index alone: the id 0
 * that a caller may send names no place, and finds no row.
 */
const isAsked = (q: string) =>
  `tenant_id = ${q}.tenant_id and item_variant_id = ${q}.item_variant_id and place_key = coalesce(${q}.storage_place_id, 0)
        and storage_place_id is not distinct from ${q}.storage_place_id`

/** Equal needs are one; pickable where one of them is. */
class Asked {
  readonly needs: (PositionNeed & { readonly tenantId: string })[] = []
  readonly #atByKey = new Map<string, number>()

  ask(tenantId: string, need: PositionNeed): void {
    const key = `${tenantId} ${positionKey(need)}`
    const at = this.#atByKey.get(key) ?? this.needs.length
    const pickable = need.pickable || (this.needs[at]?.pickable ?? false)
    this.#atByKey.set(key, at)
    this.needs[at] = { ...need, pickable, tenantId }
  }

  /** Either source may answer first: a command that only names batches makes the one of levels before that of balances. */
  open(works: Works): void {
    for (const need of this.needs) works.get(need.tenantId)?.part(stockPart).open(need)
  }

  /** What the positions hold, as far as both sources have answered, is what they held before their first command. */
  settle(works: Works): void {
    for (const need of this.needs) works.get(need.tenantId)?.part(stockPart).settle(need)
  }

  /** The position of the question that the row answers, by its number. */
  positionOf(row: TextRow, works: Works): Position | undefined {
    const need = this.needs[Number(row['at']) - 1]
    return need && works.get(need.tenantId)?.part(stockPart).stock.positions.get(positionKey(need))
  }

  get columns(): readonly (readonly unknown[])[] {
    return [
      this.needs.map(({ tenantId }) => tenantId),
      this.needs.map(({ itemVariantId }) => itemVariantId),
      this.needs.map(({ storagePlaceId }) => storagePlaceId),
    ]
  }
}

export class Balances extends Asked implements Source {
  query(): Query {
    return {
      text: `
        select q.at, b.quantity, b.quarantine_quantity, b.value
        from ${asked}
        cross join lateral (select * from stock_balances where ${isAsked('q')} limit 1) b`,
      values: this.columns,
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    this.open(works)
    for (const row of rows) {
      const position = this.positionOf(row, works)
      if (!position) continue
      position.quantity = parseMicro(textIn(row, 'quantity'))
      position.quarantine = parseMicro(textIn(row, 'quarantine_quantity'))
      position.value = parseCost(textIn(row, 'value'))
      position.isStored = true
    }
    this.settle(works)
  }
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
        this.#batches.map(batch => ('id' in batch ? batch.id : null)),
        this.#batches.map(batch => ('id' in batch ? null : batch.itemVariantId)),
        this.#batches.map(batch => ('id' in batch ? null : batch.number)),
      ],
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    this.open(works)
    for (const batch of this.#batches)
      if (!('id' in batch)) works.get(batch.tenantId)?.part(stockPart).knowNumber(batch.itemVariantId, batch.number)
    for (const row of rows) {
      const part = works.get(textIn(row, 'tenant_id'))?.part(stockPart)
      const batch = row['batch_id'] == null ? null : batchOf(row)
      if (batch !== null) part?.stock.batches.set(batch.id, batch)
      if (row['id'] == null) continue
      this.positionOf(row, works)?.levels.set(batch?.id ?? '', levelOf(row, batch))
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
  select q.at, ${levelColumns}
  from ${asked}
  cross join lateral (select * from stock_levels where ${isAsked('q')} and batch_key = 0 limit 1) l`

const allLevels = `
  with asked as materialized (
    select q.*, p.pickable from ${asked} join unnest($4::boolean[]) with ordinality as p (pickable, at) using (at)
  ), named as materialized (
    select * from unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::text[]) as w (tenant_id, id, item_variant_id, number)
  ), in_stock as (
    -- Also decides which levels of other positions are read: a transfer may bring each of these batches there.
    select a.tenant_id, l.batch_id
    from asked a
    cross join lateral (
      select batch_id from stock_levels where ${isAsked('a')} and quantity > 0 and batch_id is not null
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
  select q.at, ${levelColumns}, q.tenant_id, q.item_variant_id,
    null::bigint as batch_id, null::text as batch_number, null::date as manufacture_date, null::date as expiry_date
  from asked q
  cross join lateral (select * from stock_levels where ${isAsked('q')} and batch_key = 0 limit 1) l
  union all
  select l.at, ${levelColumns}, k.tenant_id, k.item_variant_id, k.id, k.number, k.manufacture_date, k.expiry_date
  from known k
  left join lateral (
    select a.at, l.*
    from asked a
    cross join lateral (select * from stock_levels where ${isAsked('a')} and batch_key = k.id limit 1) l
    where a.tenant_id = k.tenant_id and a.item_variant_id = k.item_variant_id
  ) l on true`
