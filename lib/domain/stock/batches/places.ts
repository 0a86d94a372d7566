/** The places where a batch has stock entries, and how a change of the batch changes the stock there. */
import { question } from '../../../kit/documents/question.ts'
import { textOrNullIn } from '../row.ts'
import { type Batch, expiredOf, levelOf, positionOf, type Stock, touch } from '../stock.ts'

/** The places of the batch, also those where its stock is 0. Null: without a place. */
export const placesOfBatch = question({
  name: 'places of batches',
  keys: { batch_id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.batch_id, l.storage_place_id
    from ${asked}
    cross join lateral (
      select storage_place_id from stock_levels where tenant_id = q.tenant_id and batch_id = q.batch_id offset 0
    ) l`,
  read: rows => rows.map(row => textOrNullIn(row, 'storage_place_id')),
})

/** Sets the new date in the entries of a batch. Positions change where stock thereby expires or is good again. */
export function redate(stock: Stock, batch: Batch, places: readonly (string | null)[]): void {
  for (const storagePlaceId of places) {
    const position = positionOf(stock, { itemVariantId: batch.itemVariantId, storagePlaceId })
    const before = levelOf(position, batch)
    if (before === undefined) throw new Error(`the entry of batch ${batch.id} is not loaded`)
    const after = { ...before, batch, changed: true }
    touch(stock, position, before)
    position.levels.set(batch.id, after)
    stock.undo(() => position.levels.set(batch.id, before))
    position.expired += expiredOf(after, stock.today) - expiredOf(before, stock.today)
    position.changed = true
  }
}
