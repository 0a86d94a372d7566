/** Checks reversals: they leave nothing of their document in the stock. It takes nothing from the rules. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

const documentsOf = (sourceType: string, table: string): Fragment => sql.fragment`
  select tenant_id, ${sourceType}::text as source_type, id as source_id, number, reversed, reversed_at from ${sql.identifier([table])}`

/** All documents that can be reversed. */
const documents: Fragment = sql.fragment`
  ${documentsOf('STOCK_ADJUSTMENT', 'stock_adjustments')}
  union all ${documentsOf('STOCK_TRANSFER', 'stock_transfers')}
  union all ${documentsOf('PURCHASE_RECEIPT', 'purchase_receipts')}
  union all ${documentsOf('LANDED_COST', 'landed_costs')}
  union all ${documentsOf('SALES_SHIPMENT', 'sales_shipments')}`

export const reversalChecks: readonly Check[] = [
  {
    name: 'movements of a reversed document sum to 0 in every stock entry',
    faultRows: sql.fragment`
      select m.tenant_id, format('document %s, level %s', d.number, m.stock_level_id) as subject,
        'quantity 0, of it 0 in quarantine' as expected,
        format('quantity %s, of it %s in quarantine', trim_scale(m.quantity), trim_scale(m.quarantine)) as found
      from (select * from (${documents}) d where reversed) d
      join (
        select tenant_id, source_type, source_id, stock_level_id, sum(quantity) as quantity, sum(quarantine_quantity) as quarantine
        from stock_movements group by 1, 2, 3, 4
      ) m using (tenant_id, source_type, source_id)
      where (m.quantity, m.quarantine) <> (0, 0)`,
  },
  {
    name: 'movements of a reversed transfer sum to a value of 0',
    faultRows: sql.fragment`
      select d.tenant_id, format('document %s', d.number) as subject, 0 as expected, trim_scale(m.value) as found
      from (select * from stock_transfers where reversed) d
      join (
        select tenant_id, source_id as id, sum(value) as value from stock_movements where source_type = 'STOCK_TRANSFER' group by 1, 2
      ) m using (tenant_id, id)
      where m.value <> 0`,
  },
  {
    name: 'documents with movements of kind REVERSAL are reversed, and say when',
    faultRows: sql.fragment`
      select d.tenant_id, format('document %s', d.number) as subject,
        case when m.source_id is null then 'reversed and dated alike' else 'reversed' end as expected,
        format('reversed %s, reversed_at %s', d.reversed, coalesce(d.reversed_at::text, 'null')) as found
      from (${documents}) d
      left join (
        select distinct tenant_id, source_type, source_id from stock_movements where kind = 'REVERSAL'
      ) m using (tenant_id, source_type, source_id)
      where d.reversed <> (d.reversed_at is not null) or (m.source_id is not null and not d.reversed)`,
  },
]
