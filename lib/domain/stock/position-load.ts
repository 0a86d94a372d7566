/**
 * Loads positions of stock: their balances here, their levels in level-load.ts.
 *
 * Rows are looked up one by one by their whole keys (`lateral`, `limit 1`), not joined. PostgreSQL plans for the average tenant, which is
 * small, and would then read all stock of a huge tenant in a join (measured: 38 ms for two of 100,000 levels).
 */

import { type Day, utcDay } from '../../kit/days.ts'
import type { Load, Source, Works } from '../../kit/documents/question.ts'
import type { Work } from '../../kit/documents/work.ts'
import { type Micro, parseCost, parseMicro } from '../../platform/decimal.ts'
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { flagIn, textIn } from './row.ts'
import { type PickOrder, type Position, positionKey, type Where } from './stock.ts'
import { stockPart } from './stock-part.ts'

/** What a command may take from a position. `quantity` null: any quantity. `order` null: only from batches that it names. */
export type Take = { readonly quantity: Micro | null; readonly order: PickOrder | null }
/** A variant at a place that a command needs. */
export type PositionNeed = Where & { readonly take?: Take | undefined }

/** The needs, numbered in `at`. The place is null for stock without a place. */
export const asked = `unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as q (tenant_id, item_variant_id, storage_place_id, at)`

/**
 * The condition that a row of balances or levels belongs to the need `q`. The key has 0 for stock without a place. A caller may send the id
 * 0, which is no place, and finds no row.
 */
export const isAsked = (q: string) =>
  `tenant_id = ${q}.tenant_id and item_variant_id = ${q}.item_variant_id and place_key = coalesce(${q}.storage_place_id, 0)
        and storage_place_id is not distinct from ${q}.storage_place_id`

/** Positions, each once. */
export class Asked {
  readonly needs: (Where & { readonly tenantId: string })[] = []
  readonly #atByKey = new Map<string, number>()

  /** The number of the position among the needs. */
  protected place(tenantId: string, { itemVariantId, storagePlaceId }: Where): number {
    const key = `${tenantId} ${positionKey({ itemVariantId, storagePlaceId })}`
    const at = this.#atByKey.get(key) ?? this.needs.push({ tenantId, itemVariantId, storagePlaceId }) - 1
    this.#atByKey.set(key, at)
    return at
  }

  /** Either source may answer first: a command that only names batches makes the source of levels before the source of balances. */
  open(works: Works): void {
    for (const need of this.needs) works.get(need.tenantId)?.part(stockPart).open(need)
  }

  /** The position of the need that the row answers. */
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

/** The entries of which stock expires from the first day on and before the second. */
const expiring = (from: string, before: string) => `
            where ${isAsked('q')} and batch_id is not null and quantity > quarantine_quantity
              and expires_on >= ${from} and expires_on < ${before}`

/**
 * How much has expired since the last event; below 0: what is good again in another time zone. It is summed if the tenant's day is known.
 * Otherwise one look-up says whether there can be any, because one day may have 100,000 expiring entries.
 */
const turned = `case when q.today is not null then (
            select sum(case when expires_on < q.today then quantity - quarantine_quantity else quarantine_quantity - quantity end)
            from stock_levels${expiring(`least(b.expired_before, q.today)`, `greatest(b.expired_before, q.today)`)}
          ) end as turned,
          case when q.today is null then (
            select true from stock_levels${expiring(`least(b.expired_before, $5::date)`, `greatest(b.expired_before, $6::date)`)}
            order by expires_on limit 1
          ) end as may_turn`

export class Balances extends Asked implements Source {
  readonly #nowMs: number
  readonly #days: (Day | null)[] = []

  constructor({ nowMs }: { readonly nowMs: number }) {
    super()
    this.#nowMs = nowMs
  }

  /** `today`: the tenant's day, if the unit of work knows it already. */
  ask(tenantId: string, where: Where, today: Day | null = null): void {
    this.#days[this.place(tenantId, where)] = today
  }

  query(): Query {
    return {
      text: `
        select q.at, b.quantity, b.quarantine_quantity, b.value, b.expired_quantity, b.expired_before,
          ${turned}
        from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::date[]) with ordinality
          as q (tenant_id, item_variant_id, storage_place_id, today, at)
        cross join lateral (select * from stock_balances where ${isAsked('q')} limit 1) b`,
      // A clock may be wrong by less than a day.
      values: [...this.columns, this.#days, utcDay(this.#nowMs, -2), utcDay(this.#nowMs, 2)],
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    this.open(works)
    for (const row of rows) {
      const position = this.positionOf(row, works)
      if (!position) continue
      position.quantity = parseMicro(textIn(row, 'quantity'))
      position.quarantine = parseMicro(textIn(row, 'quarantine_quantity'))
      position.toldExpired = parseMicro(textIn(row, 'expired_quantity'))
      position.expired = position.toldExpired + parseMicro(row['turned'] ?? '0')
      position.mayTurnSince = flagIn(row, 'may_turn') ? textIn(row, 'expired_before') : null
      position.value = parseCost(textIn(row, 'value'))
      position.isStored = true
    }
  }
}

/** Loads positions again of which stock may have expired since the last event. By now the tenant's day is known. */
export function askTurned(load: Load, work: Work): void {
  const { positions, today } = work.part(stockPart).stock
  for (const position of positions.values())
    if (position.mayTurnSince !== null && position.mayTurnSince !== today)
      load.source('stock balances', () => new Balances(load)).ask(work.tenant.id, position, today)
}
