/**
 * Checks stock counts: each has its stated number of lines, and its adjustment books their differences. It takes nothing from the rules.
 */
import { sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

export const countChecks: readonly Check[] = [
  {
    name: 'line_count and difference_count of a stock count = its lines',
    faultRows: sql.fragment`
      select tenant_id, format('stock count %s', c.number) as subject,
        format('%s lines, %s differences', coalesce(l.lines, 0), coalesce(l.differences, 0)) as expected,
        format('%s lines, %s differences', c.line_count, c.difference_count) as found
      from stock_counts c
      left join (
        select tenant_id, stock_count_id as id, count(*) as lines,
          count(*) filter (where counted_quantity <> expected_quantity) as differences
        from stock_count_items group by 1, 2
      ) l using (tenant_id, id)
      where (c.line_count, c.difference_count) <> (coalesce(l.lines, 0), coalesce(l.differences, 0))`,
  },
  {
    name: 'a stock count that is done has an adjustment where lines differ, and no other count has one',
    faultRows: sql.fragment`
      select tenant_id, format('stock count %s', coalesce(c.number, id::text)) as subject,
        case when c.status = 'DONE' and c.difference_count > 0 then 'an adjustment that names it' else 'no adjustment' end as expected,
        format('adjustment %s, named by %s', coalesce(c.adjustment_id::text, 'none'), coalesce(a.ids, 'none')) as found
      from stock_counts c
      full join (
        select tenant_id, stock_count_id as id, string_agg(id::text, ', ') as ids
        from stock_adjustments where stock_count_id is not null group by 1, 2
      ) a using (tenant_id, id)
      where a.ids is distinct from c.adjustment_id::text
        or (c.adjustment_id is not null) <> (c.status = 'DONE' and c.difference_count > 0)
        or (c.completed_at is not null) <> (c.status = 'DONE')`,
  },
  {
    // A line without a batch is booked in all batches of the stock: such variants are compared as a whole.
    name: "the adjustment of a stock count books its lines' differences",
    faultRows: sql.fragment`
      select tenant_id, format(
          'stock count %s, variant %s, batch %s', number, item_variant_id, coalesce(nullif(batch_key, 0)::text, 'none or any')
        ) as subject,
        trim_scale(l.quantity) as expected, trim_scale(a.quantity) as found
      from (
        select c.tenant_id, c.id, c.number, l.item_variant_id, l.batch_key, sum(l.counted_quantity - l.expected_quantity) as quantity
        from stock_counts c
        join (
          select tenant_id, stock_count_id, item_variant_id, counted_quantity, expected_quantity,
            case when bool_or(batch_id is null) over (partition by tenant_id, stock_count_id, item_variant_id)
              then 0 else batch_key end as batch_key
          from stock_count_items where counted_quantity <> expected_quantity
        ) l on l.tenant_id = c.tenant_id and l.stock_count_id = c.id
        where c.status = 'DONE'
        group by 1, 2, 3, 4, 5
      ) l
      full join (
        select a.tenant_id, a.stock_count_id as id, c.number, i.item_variant_id,
          case when w.item_variant_id is null then coalesce(i.batch_id, 0) else 0 end as batch_key, sum(i.quantity) as quantity
        from stock_adjustments a
        join stock_counts c on c.tenant_id = a.tenant_id and c.id = a.stock_count_id
        join stock_adjustment_items i on i.tenant_id = a.tenant_id and i.stock_adjustment_id = a.id
        left join (
          select distinct tenant_id, stock_count_id, item_variant_id from stock_count_items
          where counted_quantity <> expected_quantity and batch_id is null
        ) w on w.tenant_id = a.tenant_id and w.stock_count_id = a.stock_count_id and w.item_variant_id = i.item_variant_id
        group by 1, 2, 3, 4, 5
      ) a using (tenant_id, id, number, item_variant_id, batch_key)
      where l.quantity is distinct from a.quantity`,
  },
]
