/**
 * What is written off for a manufacturing order, less what came back, by variant and batch. The figures come from the order's movements.
 */
import { question } from '../../../kit/documents/question.ts'
import { type Micro, parseMicro } from '../../../platform/decimal.ts'
import { textIn, textOrNullIn } from '../../stock/row.ts'
import { ManufacturingOrder } from './noun.ts'

/** The quantity of a batch (null: without a batch) that is written off and did not come back. */
export type WrittenOff = {
  readonly itemVariantId: string
  readonly batchId: string | null
  /** Above 0. */
  readonly quantity: Micro
}

/** The written-off materials of each order. Batches are in the order of their last write-off. */
export const writtenOff = question({
  name: 'materials written off',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, m.*
    from ${asked}
    cross join lateral (
      select item_variant_id, batch_id, -sum(quantity) as quantity,
        max(id) filter (where kind = 'MANUFACTURING_WRITE_OFF') as last_id
      from (select * from stock_movements where tenant_id = q.tenant_id and source_id = q.id offset 0) of_order
      where kind in ('MANUFACTURING_WRITE_OFF', 'MANUFACTURING_RETURN')
      group by item_variant_id, batch_id
      having sum(quantity) < 0
    ) m
    order by m.last_id`,
  read: (rows): readonly WrittenOff[] =>
    rows.map(row => ({
      itemVariantId: textIn(row, 'item_variant_id'),
      batchId: textOrNullIn(row, 'batch_id'),
      quantity: parseMicro(textIn(row, 'quantity')),
    })),
  reads: [[ManufacturingOrder.table, (_, { id }) => id]],
})
