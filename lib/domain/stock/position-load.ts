/**
 * Loads positions of stock: their balances here, their levels in level-load.ts.
 *
 * Rows are looked up one by one, by their whole keys (`lateral`, `limit 1`), and not joined: the plan is made for the average
 * tenant, and for many small ones a join would read all of a huge tenant's stock (measured: 38 ms of 100,000 levels for two).
 */

import type { Source, Works } from '../../kit/documents/load.ts'
import { type Micro, parseCost, parseMicro } from '../../platform/decimal.ts'
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { textIn } from './row.ts'
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

export class Balances extends Asked implements Source {
  ask(tenantId: string, where: Where): void {
    this.place(tenantId, where)
  }

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
  }
}
