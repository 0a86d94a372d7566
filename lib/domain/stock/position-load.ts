/**
 * Loads positions of stock: their balances here, their levels in level-load.ts.
 *
 * Rows are looked up one by one, by their whole keys (`lateral`, `limit 1`), and not joined: the plan is made for the average
 * tenant, and for many small ones a join would read all of a huge tenant's stock (measured: 38 ms of 100,000 levels for two).
 */

import { type Day, utcDay } from '../../kit/days.ts'
import type { Source, Works } from '../../kit/documents/load.ts'
import { type Micro, parseCost, parseMicro } from '../../platform/decimal.ts'
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { EXPIRED_TOO } from './pick-order.ts'
import { textIn, textOrNullIn } from './row.ts'
import { type PickOrder, type Position, positionKey, type Where } from './stock.ts'
import { stockPart } from './stock-part.ts'

/** What a command may take from a position: `quantity` at most, null: any quantity. `order` null: only from batches that it names. */
export type Take = { readonly quantity: Micro | null; readonly order: PickOrder | null }
/** A variant at a place that a command opens. */
export type PositionNeed = Where & { readonly take?: Take | undefined }

/** The questions, numbered in `at`. The place is null where stock without one is asked for. */
export const asked = `unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as q (tenant_id, item_variant_id, storage_place_id, at)`

/**
 * Of the rows of balances and levels: that of the question `q`. Their key holds 0 for no place, which serves the index alone: the id 0
 * that a caller may send names no place, and finds no row.
 */
export const isAsked = (q: string) =>
  `tenant_id = ${q}.tenant_id and item_variant_id = ${q}.item_variant_id and place_key = coalesce(${q}.storage_place_id, 0)
        and storage_place_id is not distinct from ${q}.storage_place_id`

/** Positions, each once. */
export class Asked {
  readonly needs: (Where & { readonly tenantId: string })[] = []
  readonly #atByKey = new Map<string, number>()

  /** Where the position stands among the needs. */
  protected place(tenantId: string, { itemVariantId, storagePlaceId }: Where): number {
    const key = `${tenantId} ${positionKey({ itemVariantId, storagePlaceId })}`
    const at = this.#atByKey.get(key) ?? this.needs.push({ tenantId, itemVariantId, storagePlaceId }) - 1
    this.#atByKey.set(key, at)
    return at
  }

  /** Either source may answer first: a command that only names batches makes the one of levels before that of balances. */
  open(works: Works): void {
    for (const need of this.needs) works.get(need.tenantId)?.part(stockPart).open(need)
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

/** What of a position expires on days about now, or has turned since it was told. Mostly nothing. */
const turning = `(
          select json_object_agg(expires_on, amount) from (
            select expires_on::text, sum(quantity - quarantine_quantity)::text as amount from stock_levels
            where ${isAsked('q')} and batch_id is not null and quantity > quarantine_quantity
              and expires_on >= least(coalesce(b.expired_before, '-infinity'), $4::date)
              and expires_on < greatest(b.expired_before, $5::date)
            group by expires_on
          ) days
        )`

/** How much has expired since it was told; below 0: what the tenant's day before has expired is good again in another time zone. */
function turnedSince(row: TextRow, today: Day): Micro {
  const told = textOrNullIn(row, 'expired_before') ?? EXPIRED_TOO
  const amounts = Object.entries(JSON.parse(row['turning'] ?? '{}') as Record<Day, string>)
  return amounts.reduce((sum, [day, amount]) => {
    if (told <= day && day < today) return sum + parseMicro(amount)
    return today <= day && day < told ? sum - parseMicro(amount) : sum
  }, 0n)
}

export class Balances extends Asked implements Source {
  readonly #nowMs: number

  constructor({ nowMs }: { readonly nowMs: number }) {
    super()
    this.#nowMs = nowMs
  }

  ask(tenantId: string, where: Where): void {
    this.place(tenantId, where)
  }

  query(): Query {
    return {
      text: `
        select q.at, b.quantity, b.quarantine_quantity, b.value, b.expired_quantity, b.expired_before, ${turning} as turning
        from ${asked}
        cross join lateral (select * from stock_balances where ${isAsked('q')} limit 1) b`,
      // A clock may be off by less than a day.
      values: [...this.columns, utcDay(this.#nowMs, -2), utcDay(this.#nowMs, 2)],
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    this.open(works)
    for (const row of rows) {
      const position = this.positionOf(row, works)
      const tenantId = this.needs[Number(row['at']) - 1]?.tenantId ?? ''
      const { today } = works.get(tenantId)?.part(stockPart).stock ?? {}
      if (!position || today === undefined) continue
      position.quantity = parseMicro(textIn(row, 'quantity'))
      position.quarantine = parseMicro(textIn(row, 'quarantine_quantity'))
      position.toldExpired = parseMicro(textIn(row, 'expired_quantity'))
      position.expired = position.toldExpired + turnedSince(row, today)
      position.value = parseCost(textIn(row, 'value'))
      position.isStored = true
    }
  }
}
