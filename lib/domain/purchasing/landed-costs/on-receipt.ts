/** Whether a receipt has a landed cost: then the receipt cannot be reversed. */
import { question } from '../../../kit/documents/question.ts'

/** The number of a landed cost on the receipt that is not reversed; null if there is none. */
export const landedOnReceipt = question({
  name: 'landed costs of receipts',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, l.number
    from ${asked}
    cross join lateral (
      select number from landed_costs where tenant_id = q.tenant_id and purchase_receipt_id = q.id and not reversed
      order by id limit 1
    ) l`,
  read: ([row]) => row?.['number'] ?? null,
  reads: ['landed_costs'],
})
